import SignetAuthentication

/// How many lines of the log somebody may cause who has proved nothing, as a value. Else any program could fill the log until what matters
/// falls out of it.
///
/// As in a history, each asker has a share, for each kind of line, so that much of one kind hides nothing of another. What is beyond it
/// is counted instead: a line says how many there were at the first, the tenth, the hundredth and so on, and at the end.
struct LogShares {
  struct Limits {
    /// Lines of one kind, and of all kinds together.
    let ofKind: Int
    let ofAll: Int
    /// Kinds that are told apart. A message may have an error in it, so that there is no end of them.
    let kinds: Int
  }

  static let ofUser = Limits(ofKind: 64, ofAll: 256, kinds: 32)
  /// The system's services, and root: what they do is done for many.
  static let ofSystem = Limits(ofKind: 1_024, ofAll: 4_096, kinds: 128)
  /// One person may have thousands of uids (subuid(5)): so many users have shares of their own, all others one together.
  static let users = 64
  /// For how long a share is, in milliseconds.
  static let window: Int64 = 3_600_000

  /// What a line tells of those that were not written.
  struct Sum: Equatable {
    /// `nil` for those who have no share of their own.
    let origin: RequestOrigin.Source?
    /// Empty for those that are not told apart.
    let kind: String
    let count: Int
  }

  private struct Series {
    var lines = 0
    var beyond = 0
    var told = 0
  }

  private struct Share {
    let began: Int64
    var lines = 0
    var series: [String: Series] = [:]
  }

  private var shares: [RequestOrigin.Source?: Share] = [:]

  /// Whether a line is to be written, and what is to be told at this moment.
  mutating func admit(_ kind: String, by origin: RequestOrigin.Source, at now: Int64) -> (isWritten: Bool, sums: [Sum]) {
    let ended = end(before: now)
    let limits = LogShares.limits(of: origin)
    let isKnown = origin.isSystem || shares[origin] != nil || shares.keys.count { $0?.isSystem == false } < LogShares.users
    let owner = isKnown ? origin : nil
    var share = shares[owner] ?? Share(began: now)
    defer { shares[owner] = share }
    let kind = share.series[kind] != nil || share.series.count < limits.kinds ? kind : ""
    var series = share.series[kind] ?? Series()
    defer { share.series[kind] = series }
    guard share.lines >= limits.ofAll || series.lines >= limits.ofKind else {
      series.lines += 1
      share.lines += 1
      return (true, ended)
    }
    series.beyond += 1
    guard series.beyond.isPowerOfTen else { return (false, ended) }
    series.told = series.beyond
    return (false, ended + [Sum(origin: owner, kind: kind, count: series.beyond)])
  }

  /// Ends the shares that were begun a window ago, and tells what is not told of them yet; all of them where signetd ends.
  mutating func end(before now: Int64 = .max) -> [Sum] {
    let ended = shares.filter { now - $0.value.began >= LogShares.window }
    for owner in ended.keys { shares[owner] = nil }
    return ended.flatMap { owner, share in
      share.series.filter { $0.value.told < $0.value.beyond }.map { Sum(origin: owner, kind: $0.key, count: $0.value.beyond) }
    }
  }

  private static func limits(of origin: RequestOrigin.Source) -> Limits { origin.isSystem ? ofSystem : ofUser }
}

extension RequestOrigin.Source {
  fileprivate var isSystem: Bool { self == .service || self == .user(0) }

  /// For the log.
  package var description: String {
    switch self {
    case .user(let uid): "uid \(uid)"
    case .service: "services"
    case .unknown: "unknown"
    }
  }
}

extension Int {
  /// 1, 10, 100 and so on: when a count is told.
  package var isPowerOfTen: Bool {
    var rest = self
    while rest > 1, rest % 10 == 0 { rest /= 10 }
    return rest == 1
  }
}
