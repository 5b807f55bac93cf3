import SignetLanguage
import SignetVocabulary

/// How an evaluation ended, in both forms in which it is said.
public enum VerdictText {
  /// Of `signet verify`: what the user can do about it.
  public static func verification(_ verdict: Verdict) -> String {
    switch verdict {
    case .success: say("Verified.")
    case .authenticationFailed: say("not verified: the finger was not recognised.")
    case .userCancel, .systemCancel, .appCancel, .userFallback: say("not verified: cancelled.")
    case .passcodeNotSet: say("not verified: the account has no passcode. Set one with: passwd")
    case .biometryNotAvailable: say("not verified: no reader saw a finger. See: signet status")
    case .biometryNotEnrolled: say("not verified: no finger is enrolled. Enroll one with: signet enroll")
    case .biometryLockout: say("not verified: the fingerprints are locked. See: signet status")
    case .accountClosed: say("not verified: the account is closed. Ask the administrator.")
    case .passcodeExpired: say("not verified: the passcode must be changed first. Run: passwd")
    case .accountUnknown: say("not verified: the account's directory gives no answer. Try again when it is in reach.")
    case .invalidContext: say("not verified: signetd does not let you ask this. For another user, run it as root.")
    default: say("not verified: \(verdict.name).")
    }
  }

  /// In `signet history`, of an evaluation without success.
  public static func event(_ verdict: Verdict) -> String {
    switch verdict {
    case .authenticationFailed: say("Not authenticated: no attempt left, or a wrong passcode")
    case .userCancel: say("Not authenticated: cancelled by the user")
    case .systemCancel: say("Not authenticated: cancelled by the system")
    case .appCancel: say("Not authenticated: the program went away")
    case .userFallback: say("Not authenticated: the user asked for the passcode")
    case .passcodeNotSet: say("Not authenticated: no passcode is set")
    case .biometryNotAvailable: say("Not authenticated: no reader, or no finger in time")
    case .biometryNotEnrolled: say("Not authenticated: no finger is enrolled")
    case .biometryLockout: say("Not authenticated: fingerprints are locked")
    case .invalidContext: say("Not authenticated: not allowed")
    case .notInteractive: say("Not authenticated: nobody to ask")
    case .accountClosed: say("Not authenticated: the account is closed")
    case .passcodeExpired: say("Not authenticated: the passcode must be changed")
    case .accountUnknown: say("Not authenticated: nobody said whether the account is open")
    default: say("Not authenticated: \(verdict.name)")
    }
  }
}
