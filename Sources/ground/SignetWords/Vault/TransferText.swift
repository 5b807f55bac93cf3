import SignetLanguage

/// What `signet` says while a vault is exported into a file, or imported from one. A number is an errno, an item a name for people.
public enum TransferText {
  public static var passphrase: String { say("Passphrase of the file: ") }
  public static var newPassphrase: String { say("New passphrase of the file: ") }
  public static var passphraseAgain: String { say("Passphrase again: ") }
  public static var secondDiffers: String { say("the second was not the same. Nothing was exported.") }
  public static var noPassphrase: String { say("no passphrase was given.") }
  public static var noTerminal: String {
    say("there is no terminal to ask for the passphrase on. Run it in a terminal.")
  }
  public static func replaceFile(_ path: String) -> String { say("\(path) is there already. Replace it? [y/N] ") }
  public static var reason: String { say("all items of the vault") }

  public static func stays(_ item: String) -> String { say("Not exported, because it is for this machine alone: \(item)") }
  public static func lost(_ item: String) -> String { say("Not exported, because nothing opens it any more: \(item)") }
  public static var nothingToExport: String { say("the vault has nothing to export.") }
  public static func exported(_ count: Int, _ path: String) -> String {
    say(count, one: "Exported \(count) item to \(path).", other: "Exported \(count) items to \(path).")
  }
  public static func unwritten(_ path: String, _ error: Int32) -> String {
    say("\(path): \(ErrorText.of(error)). Nothing was exported.")
  }

  public static func imported(_ count: Int) -> String {
    say(count, one: "Imported \(count) item.", other: "Imported \(count) items.")
  }
  public static func alreadyThere(_ item: String) -> String { say("There already, and left as it is: \(item)") }
  public static var notReplaced: String { say("what is there already is replaced with --replace only.") }
  public static func unreadable(_ path: String) -> String {
    say("\(path) cannot be read, is no file, or is too large. Nothing was imported.")
  }
  public static func foreign(_ path: String) -> String {
    say("\(path) is nothing that `signet vault export` wrote. Nothing was imported.")
  }
  public static func tooCostly(_ path: String) -> String {
    say("to try a passphrase on \(path) would take too much memory. Nothing was imported.")
  }
  public static var wrongPassphrase: String { say("this is not the passphrase of the file. Nothing was imported.") }
  public static func damaged(_ path: String) -> String { say("\(path) is damaged or incomplete. Nothing was imported.") }
  public static var noLibrary: String {
    say("libcrypto.so.3 cannot be used: install OpenSSL's libraries (libssl3). Nothing was done.")
  }
}
