/// A user's misses in a row, and the scan that is under way. It is a part of `Lockout`, whose events say what may happen when.
struct Strikes: Equatable, Sendable {
  /// The misses that are certain; `nil` where the record is missing or cannot be trusted, which locks until the passcode or
  /// root leads to a new record.
  private let misses: Int?
  /// Whether one more strike is charged, for a scan whose verdict is not known yet. The charge stays when the record is lost,
  /// so that a scan under way at that moment is not free.
  private let isCharged: Bool
  /// Poor scans since the last verdict, over all evaluations, so that cancelling each evaluation in time buys no more of them.
  let poorScans: Int
  /// Cancels since the last verdict of scans whose reader tells of no finger.
  let unseenCancels: Int

  private init(misses: Int?, isCharged: Bool, poorScans: Int = 0, unseenCancels: Int = 0) {
    self.misses = misses
    self.isCharged = isCharged
    self.poorScans = poorScans
    self.unseenCancels = unseenCancels
  }

  /// The count as last written to disk. A strike that was charged before a crash is part of it, and stays.
  init(_ count: Int, poorScans: Int = 0, unseenCancels: Int = 0) {
    self.init(
      misses: max(0, count), isCharged: false, poorScans: max(0, poorScans), unseenCancels: max(0, unseenCancels))
  }

  /// The strikes that should be on disk, a charged one included; `nil` where the record is unusable.
  var durable: Int? { misses.map { $0 + (isCharged ? 1 : 0) } }

  /// Whether the misses reach the limit. A strike that is only charged does not count here, or the last scan that is allowed
  /// could never succeed.
  func areLocked(at limit: Int) -> Bool { misses.map { $0 >= limit } ?? true }

  /// The value after the record was lost or found untrustworthy.
  func lost() -> Strikes { Strikes(misses: nil, isCharged: isCharged) }

  /// The value where another record is found on disk. The higher count holds, and the scan under way is one of its strikes: on top of it,
  /// each look at the disk would find another record, and charge once more. Where the own count was lost nobody knows whether it is.
  func reloaded(_ count: Int, poorScans: Int, unseenCancels: Int) -> Strikes {
    Strikes(
      misses: misses.map { max($0, count - (isCharged ? 1 : 0)) } ?? max(0, count), isCharged: isCharged,
      poorScans: max(self.poorScans, poorScans), unseenCancels: max(self.unseenCancels, unseenCancels))
  }

  /// The value while a scan is under way; `nil` where there is one already, for two scans must not share one strike.
  func charged() -> Strikes? {
    guard let misses, !isCharged else { return nil }
    return Strikes(misses: misses, isCharged: true, poorScans: poorScans, unseenCancels: unseenCancels)
  }

  func missed() -> Strikes? { isCharged ? Strikes(misses: misses.map { $0 + 1 }, isCharged: false) : nil }

  /// The value after the scan ended without a verdict, with this many poor scans since the last verdict.
  func givenBack(poorScans: Int) -> Strikes? {
    guard let misses, isCharged else { return nil }
    return Strikes(misses: misses, isCharged: false, poorScans: poorScans, unseenCancels: unseenCancels)
  }

  /// The value after the scan was cancelled, where nobody knows whether a finger was there. At the limit it is a miss.
  func cancelledUnseen(poorScans: Int, limit: Int) -> Strikes? {
    guard let misses, isCharged else { return nil }
    if unseenCancels + 1 >= limit { return missed() }
    return Strikes(misses: misses, isCharged: false, poorScans: poorScans, unseenCancels: unseenCancels + 1)
  }

  func matched() -> Strikes? { misses != nil && isCharged ? Strikes(0) : nil }

  /// The value without misses. A scan that is under way stays charged until its verdict is known.
  func cleared() -> Strikes { Strikes(misses: 0, isCharged: isCharged) }
}
