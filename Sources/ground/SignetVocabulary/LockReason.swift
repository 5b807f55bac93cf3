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
  /// The fingers changed since the login secret was stored: no finger releases it any more. Of one login, not of the account.
  case fingersChanged = 7
  /// The vault is closed, so that a finger could not release the login secret. Of one login, not of the account.
  case vaultClosed = 8
}
