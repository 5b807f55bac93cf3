/// A user's misses in a row, and the scan that is under way: a part of `Lockout`, whose table of events says when what may
/// happen.
struct Strikes: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    /// Misses decided, and whether one more strike is charged for a scan whose verdict is not known yet.
    case counting(misses: Int, isCharged: Bool)
    /// The record is missing or cannot be believed: locked until a passcode or root writes a new one.
    case unusable
  }

  private var state: State

  static let unusable = Strikes(state: .unusable)

  private init(state: State) { self.state = state }

  /// As last made durable; a charge that a crash left behind is among them and stays.
  init(_ count: Int) { state = .counting(misses: max(0, count), isCharged: false) }

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

  /// One at a time: a second charge would be a look for half the price.
  func charged() -> Strikes? {
    guard case .counting(let misses, false) = state else { return nil }
    return Strikes(state: .counting(misses: misses, isCharged: true))
  }

  /// The charged scan ended, and the misses are now so many more.
  func settled(adding misses: Int) -> Strikes? {
    guard case .counting(let before, true) = state else { return nil }
    return Strikes(before + misses)
  }

  /// The charged scan matched.
  func matched() -> Strikes? { settled(adding: 0).map { _ in Strikes(0) } }

  /// No misses. A scan that is under way stays charged: its verdict is still to come.
  func cleared() -> Strikes {
    guard case .counting(_, let isCharged) = state else { return Strikes(0) }
    return Strikes(state: .counting(misses: 0, isCharged: isCharged))
  }
}
