/// When the passcode is required whatever the finger says, and how long wrong passcodes have to wait. The defaults are Touch
/// ID's; each rule can be switched off by itself.
public struct PasscodeRules: Equatable, Sendable {
  /// After the machine was started, until the passcode's first use.
  public var afterBoot = true
  /// After so many seconds without any unlock; `nil` for never.
  public var inactivity: UInt64? = 48 * 3600
  /// After so many seconds without the passcode, if no fingerprint was used for `fingerprintAge` either; `nil` for never.
  public var passcodeAge: UInt64? = 156 * 3600
  /// In seconds; see `passcodeAge`.
  public var fingerprintAge: UInt64 = 4 * 3600
  /// After `signet lock`.
  public var afterLock = true
  /// Wrong passcodes in a row that cost no waiting.
  public var freeAttempts = 5
  /// How long to wait, in seconds, after each further wrong passcode, the last value for all that follow; empty for never.
  public var delays: [UInt64] = [60, 300, 900, 3600]

  public init() {}
}
