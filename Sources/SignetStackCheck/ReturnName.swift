/// A return code of libpam, by its word in pam.conf(5). Numbers are only in `signet-stack`, which has libpam's header.
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

  /// The codes of a module that saw no credential; the likely ones first. `incomplete` is no answer: libpam gives it to the
  /// host at once, who calls again.
  static var refusals: [ReturnName] { allCases.filter { $0 != .success && $0 != .incomplete && $0 != .newTokenRequired } }

  /// All that pam_signet.so can answer but success; the last two are libpam's for a module that it cannot load.
  static let refusalsOfSignet: [ReturnName] =
    [.authError] + unavailable + [.tooManyTries, .abort, .userUnknown, .conversationError, .incomplete]

  /// What it answers, or libpam for it, where no reader or helper can be used.
  static let unavailable: [ReturnName] = [.authInfoUnavailable, .ignore, .systemError, .moduleUnknown, .openError]

  /// For people.
  var clause: String { self == .moduleUnknown ? "is missing (module_unknown)" : "answers \(rawValue)" }
}
