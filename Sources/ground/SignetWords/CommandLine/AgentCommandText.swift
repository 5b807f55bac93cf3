import SignetLanguage

/// What `signet bind` and its like say, besides what the agent says.
public enum AgentCommandText {
  public static var noAgent: String {
    say("signet-agent is not running, and could not be started. Is the package signet-agent installed?")
  }
  public static var agentEnded: String { say("signet-agent ended, or gave an answer that is none. Try again.") }
  public static func openPage(_ page: String) -> String {
    say("Sign in with your browser. If none opens, go to this page:\n  \(page)")
  }
  public static func typeCode(_ code: String, _ page: String) -> String {
    say("On another device, go to \(page)\nand type this code: \(code)")
  }
  /// Whose account it was; `nil` where the provider does not say.
  public static func signedIn(as user: String?) -> String {
    guard let user else { return say("The provider does not say as whom you signed in.") }
    return say("You signed in as \(user).")
  }
  public static func bound(_ issuer: String) -> String {
    say("This device is bound to \(issuer). From now on your finger signs in.")
  }
  public static func signedIn(_ issuer: String) -> String { say("Signed in at \(issuer).") }
  public static func unbound(_ issuer: String) -> String { say("This device is not bound to \(issuer) any more.") }
  public static var noBindings: String { say("No account is bound. `signet bind ISSUER` binds one.") }
}
