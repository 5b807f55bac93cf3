import SignetVocabulary

/// What signet-askpass shows, asks and complains of.
public enum AskpassText {
  /// What a finger is wanted for; `owner` is a path, a key's number or nothing.
  public static func reason(service: String, account: String) -> String {
    switch service {
    case "ssh-key": "use the key \(account)"
    case "gpg": "use the GnuPG key \(account.prefix(8))…"
    case "sudo": "enter your password for sudo"
    default: "enter a password"
    }
  }

  /// Of an item that it keeps.
  public static func label(service: String, account: String) -> String {
    switch service {
    case "ssh-key": "Passphrase of \(account)"
    case "gpg": "Passphrase of the GnuPG key \(account)"
    case "sudo": "Password for sudo"
    default: account.isEmpty ? service : "\(service), \(account)"
    }
  }

  // MARK: - in pinentry

  public static let passphrase = "Passphrase:"
  public static let passphraseAgain = "Again:"
  public static func keep(_ name: ItemName) -> String { "The passphrase to keep for \(ItemText.name(name))" }
  public static let differs = "It was not the same both times"
  public static let allow = "Allow"
  public static let deny = "Deny"
  public static let yes = "Yes"
  public static let no = "No"
  public static let close = "Close"

  // MARK: - on standard error

  public static let usage = """
    usage: signet-askpass PROMPT                     answer a prompt of ssh's or sudo's
           signet-askpass --keep SERVICE [ACCOUNT]   keep a passphrase in the vault
           signet-askpass --forget SERVICE [ACCOUNT]
    As gpg-agent's pinentry-program it has no arguments. See signet-askpass(1).
    """
  public static let nobodyToAsk = "nobody can be asked: there is no pinentry that works."
  public static let notOneLine = "what is kept is not one line, so it cannot answer a prompt."
  public static let badName = "a service has 1 to 256 bytes, an account up to 256."
  public static let notKept = "nothing was kept."
  public static func wrong(_ name: ItemName) -> String { "this is not the passphrase of \(name.account). Nothing was kept." }
  public static func unproved(_ name: ItemName) -> String {
    "it cannot be checked whether this is the passphrase of \(name.account). Nothing was kept."
  }
  public static func kept(_ name: ItemName) -> String { "Kept \(ItemText.name(name))." }
  public static func forgotten(_ name: ItemName) -> String { "Forgot \(ItemText.name(name))." }
  public static func noItem(_ name: ItemName) -> String { "nothing is kept for \(ItemText.name(name))." }
}
