/// A user's misses in a row, and the scan that is under way: a part of `Lockout`, whose table of events says when what may
/// happen.
struct Strikes: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    /// Misses decided, and whether one more strike is charged for a scan whose verdict is not known yet.
    case counting(misses: Int, isCharged: Bool)
    /// The record is missing or cannot be believed: locked until a passcode or root writes a new one. A scan that was under
    /// way still is: cleared, it must not be a look for nothing.
    case unusable(isCharged: Bool)
  }

  private var state: State
  /// Poor scans since the last verdict, over all evaluations: a cancel in time does not make them free.
  private(set) var poorScans: Int

  private init(state: State, poorScans: Int = 0) {
    self.state = state
    self.poorScans = poorScans
  }

  /// As last made durable; a charge that a crash left behind is among them and stays.
  init(_ count: Int, poorScans: Int = 0) {
    self.init(state: .counting(misses: max(0, count), isCharged: false), poorScans: max(0, poorScans))
  }

  /// The strikes to have on disk, a charge included; `nil` where the record is unusable.
  var durable: Int? {
    guard case .counting(let misses, let isCharged) = state else { return nil }
    return misses + (isCharged ? 1 : 0)
  }

  /// Whether so many misses lock. A charged last chance is not a lock yet.
  func areLocked(at limit: Int) -> Bool {
    guard case .counting(let misses, _) = state else { return true }
    return misses >= limit
  }

  private var isCharged: Bool {
    switch state {
    case .counting(_, let isCharged), .unusable(let isCharged): isCharged
    }
  }

  /// The record cannot be believed any more.
  func lost() -> Strikes { Strikes(state: .unusable(isCharged: isCharged)) }

  /// Another record is on disk. The higher count is taken; a scan under way comes on top.
  func reloaded(_ count: Int, poorScans: Int) -> Strikes {
    let misses = max(durable ?? 0, count)
    return Strikes(state: .counting(misses: misses, isCharged: isCharged), poorScans: max(self.poorScans, poorScans))
  }

  /// One at a time: a second charge would be a look for half the price.
  func charged() -> Strikes? {
    guard case .counting(let misses, false) = state else { return nil }
    return Strikes(state: .counting(misses: misses, isCharged: true), poorScans: poorScans)
  }

  /// The charged scan did not match.
  func missed() -> Strikes? {
    if state == .unusable(isCharged: true) { return Strikes(state: .unusable(isCharged: false)) }
    return misses.map { Strikes($0 + 1) }
  }

  /// The charged scan ended without a verdict, after so many poor scans in all.
  func givenBack(poorScans: Int) -> Strikes? { misses.map { Strikes($0, poorScans: poorScans) } }

  /// The charged scan matched.
  func matched() -> Strikes? { misses.map { _ in Strikes(0) } }

  /// The misses that were decided before the charged scan.
  private var misses: Int? {
    guard case .counting(let misses, true) = state else { return nil }
    return misses
  }

  /// No misses. A scan that is under way stays charged: its verdict is still to come.
  func cleared() -> Strikes {
    Strikes(state: .counting(misses: 0, isCharged: isCharged))
  }
}
