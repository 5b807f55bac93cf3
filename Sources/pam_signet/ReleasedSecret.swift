import CPAM

/// The secret that a finger released, for the modules behind, which unlock a keyring with it. It stays in the packet that
/// brought it: it is the last field there.
struct ReleasedSecret {
  /// 0 where none was released, which is the usual case and costs nothing.
  let count: Int

  /// Leaves it to later modules. The login is a success whatever comes of this.
  func passOn(from packet: inout SecretBytes, in transaction: borrowing Transaction) {
    guard count > 0 else { return }
    let handle = unsafe transaction.handle
    let code = unsafe packet.withLastField(count) { text in
      unsafe pam_set_item(handle, PAM_AUTHTOK, text)
    }
    guard let code else {
      return transaction.report(
        "the login secret has a zero byte and was not left to later modules; store it anew: signet vault add --login-secret")
    }
    if code != PAM_SUCCESS { transaction.report("the login secret could not be left to later modules, PAM code", Int(code)) }
  }
}
