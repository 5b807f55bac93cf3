import SignetLanguage

/// What `signet passkey` says.
public enum PasskeyUseText {
  public static var none: String {
    say("There are no passkeys. A browser makes one where a site offers a security key: signet-passkey(8)")
  }
  public static func passkey(_ name: String) -> String { say("the passkey \(name)") }
  public static func noPasskey(_ word: String) -> String { say("there is no passkey \(word). See: signet passkey list") }
  /// `names` of those that the word may mean.
  public static func several(_ word: String, _ names: [String]) -> String {
    say("\(word) may be several passkeys. Name one: \(names.joined(separator: ", "))")
  }
  public static func askToDelete(_ name: String, made time: String) -> String {
    say("Delete the passkey \(name), made \(time)? Its site will no longer let you in with it. [y/N] ")
  }
  public static func deleted(_ name: String) -> String { say("Deleted the passkey \(name).") }
  public static func labelled(_ name: String, _ label: String) -> String { say("The passkey \(name) has the label \(label).") }
}
