import CPAM

/// A return code of Linux-PAM. Success has one spelling here, so that a reader can search for it.
struct ReturnCode: RawRepresentable, Equatable {
  let rawValue: Int32

  init(rawValue: Int32) { self.rawValue = rawValue }

  static var success: ReturnCode { ReturnCode(rawValue: PAM_SUCCESS) }
  static var ignore: ReturnCode { ReturnCode(rawValue: PAM_IGNORE) }
  static var failed: ReturnCode { ReturnCode(rawValue: PAM_AUTH_ERR) }
  static var unavailable: ReturnCode { ReturnCode(rawValue: PAM_AUTHINFO_UNAVAIL) }
  static var tooManyTries: ReturnCode { ReturnCode(rawValue: PAM_MAXTRIES) }
  static var unknownUser: ReturnCode { ReturnCode(rawValue: PAM_USER_UNKNOWN) }
  static var conversationFailed: ReturnCode { ReturnCode(rawValue: PAM_CONV_ERR) }
  static var incomplete: ReturnCode { ReturnCode(rawValue: PAM_INCOMPLETE) }
  static var systemError: ReturnCode { ReturnCode(rawValue: PAM_SYSTEM_ERR) }

  /// The table of verdicts that are not success: "unavailable" is never reported as "failed", nor the other way round. A
  /// number that this version does not know says nothing about the user, so it is unavailable; the log has the number.
  ///
  /// Success is missing on purpose: it needs more than its number (`LoginRelay.accept`).
  init(refusal verdict: Verdict) {
    switch verdict {
    // A host of fprintd's module tries again after PAM_AUTH_ERR. After these it leaves the finger, and says no more than it was shown.
    case .authenticationFailed where ModuleKind.takesFingerOnly: self = .tooManyTries
    case .biometryLockout where ModuleKind.takesFingerOnly: self = .unavailable
    // sudo makes a fault of its own of PAM_ABORT ("Critical error - immediate abort") and ends. After this one it asks once more,
    // which is right after a sleep, and no other module of the stack goes on.
    case .authenticationFailed, .userCancel, .systemCancel, .appCancel: self = .failed
    // signetd asks for the passcode when locked; this verdict means that it could not.
    case .biometryLockout: self = .tooManyTries
    default: self = .unavailable
    }
  }
}

extension Verdict {
  /// Whether this version gives the number a meaning.
  var isKnown: Bool { self == .success || Verdict.authenticationFailed.rawValue...Verdict.accountUnknown.rawValue ~= rawValue }
}

/// Why a call ended without a verdict of signetd.
enum Failure: Error {
  /// The module was called while it checks a passcode itself.
  case nested
  /// The user sits at another machine than the reader.
  case remote
  /// The host has no user name, by pam_get_user's code.
  case noUser(Int32)
  /// No user of this machine can have this name.
  case unusableName
  /// The user is another one than the one that was asked for.
  case userChanged
  case noMemory
  case client(ClientError)
  /// A conversation function failed, by its code, or gave no answer.
  case conversation(Int32)
  /// A longer passcode than PAM allows is a wrong one: cut, it might be right.
  case passcodeTooLong
  /// libpam did not keep the token.
  case notKept(Int32)
  /// The kernel did not take the token into a keyring, or the user has no uid.
  case keyNotAdded
  /// The kernel gave no new keyring in the place of another user's.
  case ringNotLeft
  /// signetd did not fulfil a request about a session or a passcode change.
  case refused
  /// So many misses as the configuration allows.
  case triesUsed
  /// signetd wants the passcode, which this module does not ask for.
  case passcodeWanted

  var code: ReturnCode {
    switch self {
    case .nested: .ignore
    case .client(.cancelled), .passcodeTooLong: .failed
    // Whoever fills all their own places must not come to a prompt that counts nothing. A service's users are not to blame.
    case .client(.busy(.ofAsker)), .triesUsed: .tooManyTries
    case .remote, .client, .userChanged, .refused, .passcodeWanted: .unavailable
    case .noUser(PAM_CONV_AGAIN): .incomplete
    case .noUser, .unusableName: ModuleKind.takesFingerOnly ? .unavailable : .unknownUser
    case .noMemory, .notKept, .keyNotAdded, .ringNotLeft: .systemError
    case .conversation: .conversationFailed
    }
  }
}
