/// Why only the passcode, or root, may go on. Where several reasons hold, the first of this order that does is said:
/// `stateUnusable`, `strikes`, `requested`, `restart`, `inactivity`, `passcodeAge`.
public enum LockReason: UInt8, Sendable {
  case none = 0
  /// Five strikes.
  case strikes = 1
  /// The state file is missing, torn, unreadable or older than what signetd wrote last.
  case stateUnusable = 2
  /// No passcode since the machine was started.
  case restart = 3
  /// No unlock for two days.
  case inactivity = 4
  /// No passcode for six and a half days, and no fingerprint for four hours.
  case passcodeAge = 5
  /// `signet lock`.
  case requested = 6
}
