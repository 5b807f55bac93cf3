import SignetLanguage

/// Which logins ask Signet.
public enum StackUseText {
  /// What switches it on. pam_signet(8) says how that is done by hand.
  public static var command: String { "sudo pam-auth-update --enable signet" }

  public static var none: String { say("No login asks Signet yet. Switch it on: \(command)") }
  /// Where only those do that take nothing but a finger, as a desktop's beside its passcode.
  public static var notThisYet: String { say("This service does not ask Signet yet. Switch it on: \(command)") }
  /// Where others do.
  public static var notThis: String { say("This service does not ask Signet: no pam_signet.so is in its PAM stack.") }

  /// `near`: the name of one that there is.
  public static func noService(_ name: String, in folders: [String], near: String?) -> String {
    let places = folders.joined(separator: ", ")
    guard let near else { return say("there is no PAM service \(name), for lack of a file of that name in \(places).") }
    return say("there is no PAM service \(name), for lack of a file of that name in \(places). Did you mean \(near)?")
  }
}
