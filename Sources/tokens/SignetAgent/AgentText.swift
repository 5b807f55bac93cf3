import SignetAgentProtocol
import SignetTokenServices
import SignetLanguage

/// What the agent says.
enum AgentText {
  static var noSession: String { say("This is no session that Signet opened, or it has ended: log in, and ask there.") }
  static func notStored(_ issuer: String) -> String {
    say(
      "\(issuer) gave nothing that signs in again, or the vault did not take it. Many want to be asked for it: --scope openid --scope offline_access. Whether the vault is there says: signet status"
    )
  }
  static func notKept(_ issuer: String) -> String { say("Nothing of this sign-in at \(issuer) was kept.") }
  static func notBound(_ issuer: String) -> String { say("This device is not bound to \(issuer): signet bind \(issuer)") }
  static func severalAccounts(_ names: [String]) -> String {
    say("Several accounts are bound there; name one by --account: \(names.joined(separator: ", "))")
  }
  static func alreadyBound(_ issuer: String) -> String {
    say(
      "This device is bound to \(issuer) already. To bind it anew: signet unbind \(issuer), then signet bind \(issuer). Another account: --account"
    )
  }
  static func fingerWanted(_ issuer: String) -> String {
    say("Your finger was not used since the login or the last lock: signet login \(issuer)")
  }
  static func notReleased(_ issuer: String) -> String {
    say("What signs in at \(issuer) is released for an enrolled finger alone, and none was recognised. Try again.")
  }
  static func bindAnew(_ issuer: String) -> String {
    say(
      "The enrolled fingers have changed since this device was bound, and nothing opens what signs in any more: signet bind \(issuer)"
    )
  }
  static func signInAgain(_ issuer: String) -> String {
    say("\(issuer) does not take what was stored any more: signet bind \(issuer)")
  }
  static func queued(_ issuer: String) -> String {
    say(
      "Erased here. \(issuer) could not be told, and will be as soon as it can be reached; until then it may take the old sign-in."
    )
  }
  static func untold(_ issuer: String) -> String {
    say(
      "Erased here. \(issuer) was not told, and may take the old sign-in until it expires: end this device's access on your account's page there."
    )
  }
  static func registrationLeft(_ issuer: String) -> String {
    say(
      "The registration of this device at \(issuer) could not be ended from here. It signs nobody in; end it on your account's page there."
    )
  }
  static func nothingStored(_ issuer: String) -> String {
    say(
      "Nothing that signs in at \(issuer) is stored any more: the enrolled fingers have changed, or \(issuer) refused it. Bind it anew: signet bind \(issuer)"
    )
  }
  static var noRole: String {
    say("This is no role: name its ARN (arn:...), a session of 2 to 64 letters, digits and _+=,.@-, and 900 to 43200 seconds.")
  }
  static func roleRefused(_ host: String, _ why: String) -> String {
    say(
      "\(host) gives no keys for this role: \(why). Whether it trusts the provider, and for whom, is written in the role there.")
  }
  static func touch(_ issuer: String) -> String { say("Touch the reader to sign in at \(issuer)") }
}

extension AgentFailure {
  /// What an error of a service means for who asked.
  init(_ error: any Error, at issuer: String) {
    switch error {
    case let failure as AgentFailure: self = failure
    case AuthError.loginRequired(.fingersChanged), AuthError.storage(.fingersChanged):
      self.init(.bindAnew, AgentText.bindAnew(issuer))
    case AuthError.loginRequired(.noCredential): self.init(.bindAnew, AgentText.nothingStored(issuer))
    case AuthError.loginRequired(.refusedByServer):
      self.init(.bindAnew, AgentText.signInAgain(issuer))
    case AuthError.loginRequired(.vaultLocked), AuthError.storage(.notInteractive), AuthError.storage(.locked),
      AuthError.storage(.cancelled):
      self.init(.loginRequired, AgentText.fingerWanted(issuer))
    case AuthError.network(let error) where error.isTransient: self.init(.offline, error.description)
    case let error as AuthError: self.init(.refused, error.description)
    case let error as NetworkError: self.init(error.isTransient ? .offline : .refused, error.description)
    default: self.init(.refused, "\(error)")
    }
  }
}
