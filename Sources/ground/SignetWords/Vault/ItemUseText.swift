import SignetLanguage
import SignetVocabulary

/// What `signet` says of items that it renames, edits, copies to the clipboard and gives to a command. A number is an errno.
public enum ItemUseText {
  public static func renamed(_ old: ItemName, _ new: ItemName) -> String {
    say("Renamed \(ItemText.name(old)) to \(ItemText.name(new)).")
  }
  /// Where the old one could not be deleted.
  public static func bothThere(_ old: ItemName, _ new: ItemName) -> String {
    say("\(ItemText.name(new)) is stored, and \(ItemText.name(old)) is still there, too.")
  }
  public static func changedMeanwhile(_ name: ItemName) -> String {
    say("\(ItemText.name(name)) was changed meanwhile. It was left as it is.")
  }

  // MARK: - the editor

  public static func unchanged(_ name: ItemName) -> String { say("\(ItemText.name(name)) is as it was.") }
  public static var uneditable: String {
    say("the value is no text, and nothing for an editor. Replace it with: signet vault update")
  }
  public static var editedEmpty: String { say("the secret is empty now. Nothing was replaced.") }
  public static var editorFailed: String { say("the editor did not end well. Nothing was replaced.") }
  public static func noEditing(_ error: Int32) -> String {
    say("the secret cannot be edited: \(ErrorText.of(error)). Nothing was replaced.")
  }

  // MARK: - the clipboard

  public static func copied(_ name: ItemName, seconds: Int) -> String {
    say(
      seconds, one: "Copied \(ItemText.name(name)) to the clipboard, for \(seconds) second.",
      other: "Copied \(ItemText.name(name)) to the clipboard, for \(seconds) seconds.")
  }
  public static var noClipboard: String {
    say("there is no desktop with a clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set.")
  }
  /// `package`: what has such a program.
  public static func noClipboardProgram(_ package: String) -> String {
    say("no program is installed that fills the clipboard. Install the package \(package).")
  }
  public static func clipboardFailed(_ program: String) -> String {
    say("\(program) did not fill the clipboard. Can it reach the desktop?")
  }

  // MARK: - lists and commands

  public static func noneWith(_ text: String) -> String { say("no item has \(text) in its service, account or label.") }
  public static func noneNamed(_ word: String) -> String {
    say("there is no item \(word): name it by its service, or by service and account with a slash between. Nothing was started.")
  }
  public static func severalNamed(_ word: String) -> String { say("\(word) may mean several items. Nothing was started.") }
  public static func reason(_ command: String) -> String { say("secrets for \(command)") }
  public static func zeroByte(_ name: ItemName) -> String {
    say("\(ItemText.name(name)) has a zero byte, which no variable can have. Nothing was started.")
  }
  public static func notRun(_ command: String, _ error: Int32) -> String { say("\(command): \(ErrorText.of(error))") }
}
