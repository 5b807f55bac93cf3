/// When the passcode is required even though a finger would match, and how long a user has to wait after wrong passcodes. The
/// defaults are Touch ID's. Each rule can be switched off by itself.
public struct PasscodeRules: Equatable, Sendable {
  /// After the machine was started, until the passcode's first use.
  public var afterBoot = true
  /// Whether a finger that opens the vault, where the TPM has the key to it, stands for that first use.
  public var fingerAfterRestart = false
  /// After so many seconds without any unlock; `nil` for never.
  public var inactivity: UInt64? = 48 * 3600
  /// After so many seconds without the passcode, unless a finger matched within `fingerprintAge`; `nil` for never.
  public var passcodeAge: UInt64? = 156 * 3600
  /// In seconds; see `passcodeAge`.
  public var fingerprintAge: UInt64 = 4 * 3600
  /// After `signet lock`.
  public var afterLock = true
  /// From this many wrong passcodes in a row from one source on, the next one from there has to wait.
  public var freeAttempts = 5
  /// From this many of all strangers together on, any stranger's has to wait: so many users, or uids, do not add up.
  public var freeAttemptsOfStrangers = 20
  /// How long to wait, in seconds, after that one and each further one. The last value holds for all that follow; empty for
  /// no waiting.
  public var delays: [UInt64] = [60, 300, 900, 3600]

  public init() {}
}
