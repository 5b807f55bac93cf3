import CPAM

/// libpam's return codes by their words in pam.conf(5).
enum Codes {
  private static let names: [(String, Int32)] = [
    ("success", PAM_SUCCESS), ("open_err", PAM_OPEN_ERR), ("symbol_err", PAM_SYMBOL_ERR), ("service_err", PAM_SERVICE_ERR),
    ("system_err", PAM_SYSTEM_ERR), ("buf_err", PAM_BUF_ERR), ("perm_denied", PAM_PERM_DENIED), ("auth_err", PAM_AUTH_ERR),
    ("cred_insufficient", PAM_CRED_INSUFFICIENT), ("authinfo_unavail", PAM_AUTHINFO_UNAVAIL),
    ("user_unknown", PAM_USER_UNKNOWN), ("maxtries", PAM_MAXTRIES), ("new_authtok_reqd", PAM_NEW_AUTHTOK_REQD),
    ("acct_expired", PAM_ACCT_EXPIRED), ("session_err", PAM_SESSION_ERR), ("cred_unavail", PAM_CRED_UNAVAIL),
    ("cred_expired", PAM_CRED_EXPIRED), ("cred_err", PAM_CRED_ERR), ("no_module_data", PAM_NO_MODULE_DATA),
    ("conv_err", PAM_CONV_ERR), ("authtok_err", PAM_AUTHTOK_ERR), ("authtok_recover_err", PAM_AUTHTOK_RECOVERY_ERR),
    ("authtok_lock_busy", PAM_AUTHTOK_LOCK_BUSY), ("authtok_disable_aging", PAM_AUTHTOK_DISABLE_AGING),
    ("try_again", PAM_TRY_AGAIN), ("ignore", PAM_IGNORE), ("abort", PAM_ABORT), ("authtok_expired", PAM_AUTHTOK_EXPIRED),
    ("module_unknown", PAM_MODULE_UNKNOWN), ("bad_item", PAM_BAD_ITEM), ("conv_again", PAM_CONV_AGAIN),
    ("incomplete", PAM_INCOMPLETE),
  ]

  /// The code of a word; `nil` for every other word, among them `-`, which stands for a module that cannot be loaded.
  static func number(of name: String) -> Int32? { names.first { $0.0.isSame(as: name) }?.1 }

  /// A number without a word must not pass for success.
  static func name(of number: Int32) -> String { names.first { $0.1 == number }?.0 ?? "system_err" }
}

extension String {
  /// Whether both have the same bytes. What `==` looks up in the tables of Unicode is no question here.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
