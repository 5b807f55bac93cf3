/// When the passcode is required whatever the finger says, and how wrong passcodes are slowed down. The defaults are Touch
/// ID's.
public struct PasscodeRules: Equatable, Sendable {
  /// After boot, until its first use.
  public var afterBoot = true
  /// After so many seconds without any unlock; `nil` for never.
  public var inactivity: UInt64? = 48 * 3600
  /// After so many seconds since the last passcode, when the last fingerprint is `fingerprintAge` old as well; `nil` for
  /// never.
  public var passcodeAge: UInt64? = 156 * 3600
  /// The seconds within which a fingerprint puts `passcodeAge` off.
  public var fingerprintAge: UInt64 = 4 * 3600
  /// After `signet lock`.
  public var afterLock = true
  /// The seconds to wait after each wrong passcode beyond the free ones; the last repeats. Empty for no wait.
  public var delays: [UInt64] = [60, 300, 900, 3600]
  /// Wrong passcodes that cost nothing.
  public var freeAttempts = 5

  public init() {}
}
