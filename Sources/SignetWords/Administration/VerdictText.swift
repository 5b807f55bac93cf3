import SignetVocabulary

/// How an evaluation ended, in both forms in which it is said.
public enum VerdictText {
  /// Of `signet verify`: what the user can do about it.
  public static func verification(_ verdict: Verdict) -> String {
    switch verdict {
    case .success: "Verified."
    case .authenticationFailed: "not verified: the finger was not recognised."
    case .userCancel, .systemCancel, .appCancel, .userFallback: "not verified: cancelled."
    case .passcodeNotSet: "not verified: the account has no passcode. Set one with: passwd"
    case .biometryNotAvailable: "not verified: no reader is available. See: signet status"
    case .biometryNotEnrolled: "not verified: no finger is enrolled. Enroll one with: signet enroll"
    case .biometryLockout: "not verified: the fingerprints are locked. See: signet status"
    case .invalidContext: "not verified: signetd does not let you ask this. For another user, run it as root."
    default: "not verified: \(verdict.name)."
    }
  }

  /// In `signet history`, of an evaluation without success.
  public static func event(_ verdict: Verdict) -> String {
    switch verdict {
    case .authenticationFailed: "Not authenticated: no attempt left, or a wrong passcode"
    case .userCancel: "Not authenticated: cancelled by the user"
    case .systemCancel: "Not authenticated: cancelled by the system"
    case .appCancel: "Not authenticated: the program went away"
    case .userFallback: "Not authenticated: the user asked for the passcode"
    case .passcodeNotSet: "Not authenticated: no passcode is set"
    case .biometryNotAvailable: "Not authenticated: no reader, or no finger in time"
    case .biometryNotEnrolled: "Not authenticated: no finger is enrolled"
    case .biometryLockout: "Not authenticated: fingerprints are locked"
    case .invalidContext: "Not authenticated: not allowed"
    case .notInteractive: "Not authenticated: nobody to ask"
    default: "Not authenticated: \(verdict.name)"
    }
  }
}
