/// A user's misses in a row, and the scan that is under way: a part of `Lockout`, whose table of events says when what may
/// happen.
struct Strikes: Equatable, Sendable {
  /// Misses decided; `nil` where the record is missing or cannot be believed: locked until a passcode or root writes a new one.
  private let misses: Int?
  /// Whether one more strike is charged, for a scan whose verdict is not known yet. It outlives the record: a scan that was
  /// under way when that was lost must not be a look for nothing.
  private let isCharged: Bool
  /// Poor scans since the last verdict, over all evaluations: a cancel in time does not make them free.
  let poorScans: Int

  private init(misses: Int?, isCharged: Bool, poorScans: Int = 0) {
    self.misses = misses
    self.isCharged = isCharged
    self.poorScans = poorScans
  }

  /// As last made durable; a charge that a crash left behind is among them and stays.
  init(_ count: Int, poorScans: Int = 0) {
    self.init(misses: max(0, count), isCharged: false, poorScans: max(0, poorScans))
  }

  /// The strikes to have on disk, a charge included; `nil` where the record is unusable.
  var durable: Int? { misses.map { $0 + (isCharged ? 1 : 0) } }

  /// Whether so many misses lock. A charged last chance is not a lock yet.
  func areLocked(at limit: Int) -> Bool { misses.map { $0 >= limit } ?? true }

  /// The record cannot be believed any more.
  func lost() -> Strikes { Strikes(misses: nil, isCharged: isCharged) }

  /// Another record is on disk. The higher count is taken; a scan under way comes on top.
  func reloaded(_ count: Int, poorScans: Int) -> Strikes {
    Strikes(misses: max(durable ?? 0, count), isCharged: isCharged, poorScans: max(self.poorScans, poorScans))
  }

  /// One at a time: a second charge would be a look for half the price.
  func charged() -> Strikes? {
    guard let misses, !isCharged else { return nil }
    return Strikes(misses: misses, isCharged: true, poorScans: poorScans)
  }

  /// The charged scan did not match.
  func missed() -> Strikes? { isCharged ? Strikes(misses: misses.map { $0 + 1 }, isCharged: false) : nil }

  /// The charged scan ended without a verdict, after so many poor scans in all.
  func givenBack(poorScans: Int) -> Strikes? {
    guard let misses, isCharged else { return nil }
    return Strikes(misses: misses, isCharged: false, poorScans: poorScans)
  }

  /// The charged scan matched.
  func matched() -> Strikes? { misses != nil && isCharged ? Strikes(0) : nil }

  /// No misses. A scan that is under way stays charged: its verdict is still to come.
  func cleared() -> Strikes { Strikes(misses: 0, isCharged: isCharged) }
}
