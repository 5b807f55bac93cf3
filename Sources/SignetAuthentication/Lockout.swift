// SignetAuthentication decides, and does nothing else: strikes, evaluations, evidence. Files, clocks, sockets and readers
// are the daemon's; time and outcomes are passed in.

/// The numbers of the lockout rule. The defaults are Touch ID's.
public struct LockoutLimits: Equatable, Sendable {
  /// Strikes that lock the fingerprints, over all evaluations and services, 1 to 255.
  public var strikes = 5
  /// Misses that end one evaluation's scanning, 1 to 255.
  public var missesPerEvaluation = 3
  /// Poor scans that one evaluation may have before it fails and is charged, 1 to 255.
  public var poorScansPerEvaluation = 10

  public init() {}
}

/// A user's strikes: a value without I/O. Ask for the value after an event, make its `durable` strikes durable where they
/// differ, and only then adopt it; so a crash between the two can cost a strike, never give one back.
public struct Lockout: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    /// Misses decided, and whether one more strike is charged for a scan whose verdict is not known yet.
    case counting(misses: Int, isCharged: Bool)
    /// The record is missing or unreadable: locked until a passcode or root writes a new one.
    case unusable
  }

  /// What happens to a user's strikes.
  public enum Event: Equatable, Sendable, CaseIterable {
    /// A reader is about to be armed.
    case charge
    /// The scan did not match: the charge becomes a strike.
    case miss
    /// The scan matched: all strikes are cleared.
    case match
    /// No finger decided anything (poor scan, cancel, time-out): the charge is given back.
    case giveBack
    /// A passcode was verified, or root reset the strikes.
    case clear
  }

  private var state: State
  private let limit: Int

  /// `strikes` as last made durable; a charge that a crash left behind is among them and stays.
  public init(strikes: Int, limits: LockoutLimits) {
    state = .counting(misses: max(0, strikes), isCharged: false)
    limit = limits.strikes
  }

  private init(state: State, limit: Int) {
    self.state = state
    self.limit = limit
  }

  /// For a record that is missing or unreadable.
  public static func unusable(limits: LockoutLimits) -> Lockout { Lockout(state: .unusable, limit: limits.strikes) }

  /// The strikes to have on disk, a charge included; `nil` where the record is unusable.
  public var durable: Int? {
    guard case .counting(let misses, let isCharged) = state else { return nil }
    return misses + (isCharged ? 1 : 0)
  }

  public var isUsable: Bool { state != .unusable }

  /// Whether only the passcode, or root, may go on. A charged last chance is not a lock yet.
  public var isLocked: Bool {
    guard case .counting(let misses, _) = state else { return true }
    return misses >= limit
  }

  /// Whether a scan is charged and undecided. One at a time: a second would be a look for half the price.
  public var isCharged: Bool {
    guard case .counting(_, let isCharged) = state else { return false }
    return isCharged
  }

  /// The value after an event, or `nil` where the event is not possible now and counts for nothing.
  public func after(_ event: Event) -> Lockout? {
    switch (event, state) {
    case (.charge, .counting(let misses, false)) where misses < limit: with(misses, charged: true)
    case (.miss, .counting(let misses, true)): with(misses + 1, charged: false)
    case (.match, .counting(let misses, true)) where misses < limit: with(0, charged: false)
    case (.giveBack, .counting(let misses, true)): with(misses, charged: false)
    // A scan that is under way stays charged: its verdict is still to come.
    case (.clear, .counting(_, let isCharged)): with(0, charged: isCharged)
    case (.clear, .unusable): with(0, charged: false)
    default: nil
    }
  }

  private func with(_ misses: Int, charged: Bool) -> Lockout {
    Lockout(state: .counting(misses: misses, isCharged: charged), limit: limit)
  }
}
