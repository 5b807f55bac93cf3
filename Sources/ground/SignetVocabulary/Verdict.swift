/// How an evaluation ended, in the words of Apple's `LAError`. A value that this version does not know keeps its number;
/// it is never success: compare with `.success`, not with a failure.
public struct Verdict: RawRepresentable, Equatable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Evidence exists. The number is far from the others, and from zero, so that no cleared or counted byte is it.
  public static var success: Verdict { Verdict(rawValue: 0xA5) }
  /// Three misses in this evaluation, or a wrong passcode.
  public static var authenticationFailed: Verdict { Verdict(rawValue: 1) }
  /// The user cancelled, with Ctrl-C for instance.
  public static var userCancel: Verdict { Verdict(rawValue: 2) }
  /// The system cancelled: suspend, session switch, shutdown.
  public static var systemCancel: Verdict { Verdict(rawValue: 3) }
  /// The caller went away.
  public static var appCancel: Verdict { Verdict(rawValue: 4) }
  /// The user asked for the passcode, and the policy leaves asking to the caller.
  public static var userFallback: Verdict { Verdict(rawValue: 5) }
  /// The user has no passcode.
  public static var passcodeNotSet: Verdict { Verdict(rawValue: 6) }
  /// No reader, a busy or broken reader, or none that policy allows here.
  public static var biometryNotAvailable: Verdict { Verdict(rawValue: 7) }
  /// No finger is enrolled.
  public static var biometryNotEnrolled: Verdict { Verdict(rawValue: 8) }
  /// Five strikes: only the passcode, or root, lets the reader scan again.
  public static var biometryLockout: Verdict { Verdict(rawValue: 9) }
  /// Protocol misuse, or a caller that may not ask this.
  public static var invalidContext: Verdict { Verdict(rawValue: 10) }
  /// There is no way to prompt.
  public static var notInteractive: Verdict { Verdict(rawValue: 11) }
  /// The account is expired, disabled or removed, as PAM's account phase says.
  public static var accountClosed: Verdict { Verdict(rawValue: 12) }
  /// The account is open again once its passcode is changed.
  public static var passcodeExpired: Verdict { Verdict(rawValue: 13) }
  /// Nobody says whether the account is open.
  public static var accountUnknown: Verdict { Verdict(rawValue: 14) }
}

/// What an evaluation may use, in the words of Apple's `LAPolicy`.
public enum Policy: UInt8, Sendable {
  /// A finger only: the caller offers its own fallback.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger where usable, else the passcode.
  case deviceOwnerAuthentication = 2
}

/// What made the evidence, named as RFC 8176 (`amr`) names it in a token.
public enum EvidenceMethod: UInt8, Sendable {
  case none = 0
  /// `fpt`
  case fingerprint = 1
  /// `pwd`
  case passcode = 2
}

/// Why the reader saw no finger well enough to decide (libfprint's `FpDeviceRetry`). Never a strike by itself.
public enum ScanRetry: UInt8, Sendable {
  case general = 0
  case tooShort = 1
  case centerFinger = 2
  case removeFinger = 3
  case tooFast = 4
}
