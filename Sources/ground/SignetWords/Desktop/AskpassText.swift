import SignetLanguage
import SignetVocabulary

/// What signet-askpass shows, asks and complains of.
public enum AskpassText {
  /// What a finger is wanted for; `owner` is a path, a key's number or nothing.
  public static func reason(service: String, account: String) -> String {
    switch service {
    case "ssh-key": say("use the key \(account)")
    case "gpg": say("use the GnuPG key \(account.prefix(8))…")
    case "sudo": say("enter your password for sudo")
    default: say("enter a password")
    }
  }

  /// Of an item that it keeps.
  public static func label(service: String, account: String) -> String {
    switch service {
    case "ssh-key": say("Passphrase of \(account)")
    case "gpg": say("Passphrase of the GnuPG key \(account)")
    case "sudo": say("Password for sudo")
    default: account.isEmpty ? service : "\(service), \(account)"
    }
  }

  // MARK: - in pinentry

  public static var passphrase: String { say("Passphrase:") }
  public static var passphraseAgain: String { say("Again:") }
  public static func keep(_ name: ItemName) -> String { say("The passphrase to keep for \(ItemText.name(name))") }
  public static var differs: String { say("It was not the same both times") }
  public static var allow: String { say("Allow") }
  public static var deny: String { say("Deny") }
  public static var yes: String { say("Yes") }
  public static var no: String { say("No") }
  public static var close: String { say("Close") }

  // MARK: - on standard error

  public static var usage: String {
    say(
      """
      usage: signet-askpass PROMPT                     answer a prompt of ssh's or sudo's
             signet-askpass --keep SERVICE [ACCOUNT]   keep a passphrase in the vault
             signet-askpass --forget SERVICE [ACCOUNT]
      As gpg-agent's pinentry-program it has no arguments. See signet-askpass(1).
      """)
  }
  public static var nobodyToAsk: String {
    say("nobody can be asked: there is no pinentry that works. Install one: apt-get install pinentry-curses")
  }
  public static var notOneLine: String { say("what is kept is not one line, so it cannot answer a prompt.") }
  public static var badName: String { say("a service has 1 to 256 bytes, an account up to 256.") }
  public static var notKept: String { say("nothing was kept.") }
  public static func wrong(_ name: ItemName) -> String { say("this is not the passphrase of \(name.account). Nothing was kept.") }
  public static func unproved(_ name: ItemName) -> String {
    say("it cannot be checked whether this is the passphrase of \(name.account). Nothing was kept.")
  }
  public static func kept(_ name: ItemName) -> String { say("Kept \(ItemText.name(name)).") }
  public static func forgotten(_ name: ItemName) -> String { say("Forgot \(ItemText.name(name)).") }
  public static func noItem(_ name: ItemName) -> String { say("nothing is kept for \(ItemText.name(name)).") }
}
