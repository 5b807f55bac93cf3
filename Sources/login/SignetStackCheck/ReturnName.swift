import SignetLanguage

/// A return code of libpam, by its word in pam.conf(5). Only `signet-stack`, which has libpam's header, knows the numbers.
enum ReturnName: String, CaseIterable, Sendable {
  case success
  case authError = "auth_err"
  case authInfoUnavailable = "authinfo_unavail"
  case userUnknown = "user_unknown"
  case tooManyTries = "maxtries"
  case permissionDenied = "perm_denied"
  case ignore
  case abort
  case systemError = "system_err"
  case conversationError = "conv_err"
  case moduleUnknown = "module_unknown"
  case openError = "open_err"
  case symbolError = "symbol_err"
  case serviceError = "service_err"
  case bufferError = "buf_err"
  case credentialInsufficient = "cred_insufficient"
  case newTokenRequired = "new_authtok_reqd"
  case accountExpired = "acct_expired"
  case sessionError = "session_err"
  case credentialUnavailable = "cred_unavail"
  case credentialExpired = "cred_expired"
  case credentialError = "cred_err"
  case noModuleData = "no_module_data"
  case tokenError = "authtok_err"
  case tokenRecoveryError = "authtok_recover_err"
  case tokenLockBusy = "authtok_lock_busy"
  case tokenAgingDisabled = "authtok_disable_aging"
  case tryAgain = "try_again"
  case tokenExpired = "authtok_expired"
  case badItem = "bad_item"
  case conversationAgain = "conv_again"
  case incomplete

  /// The codes of a module that saw no credential, the likely ones first. `incomplete` is not among them: libpam hands it to
  /// the host at once, and the host calls again.
  static var refusals: [ReturnName] { allCases.filter { $0 != .success && $0 != .incomplete && $0 != .newTokenRequired } }

  /// Every answer of pam_signet.so but success, and those that libpam gives where it cannot load the module.
  static let refusalsOfSignet: [ReturnName] =
    [.authError] + unavailable + [.tooManyTries, .abort, .userUnknown, .conversationError, .incomplete]

  /// What pam_signet.so answers where no reader or helper can be used; the last two libpam answers where it cannot load it.
  static let unavailable: [ReturnName] = [.authInfoUnavailable, .ignore, .systemError, .moduleUnknown, .openError]

  /// Whether signet-passcode takes it for a wrong passcode, where the stack has had one. `PasscodeTransaction.isRefusal` has the same
  /// codes.
  var isRefusal: Bool {
    switch self {
    case .authError, .tooManyTries, .permissionDenied, .userUnknown, .credentialInsufficient, .credentialError, .accountExpired:
      true
    default: false
    }
  }

  /// The code as part of a sentence: a module "answers auth_err".
  var clause: String {
    // Translators: part of a sentence such as "Where pam_unix.so answers auth_err, it jumps to #", behind the module's name.
    self == .moduleUnknown ? say("is missing (module_unknown)") : say("answers \(rawValue)")
  }
}
