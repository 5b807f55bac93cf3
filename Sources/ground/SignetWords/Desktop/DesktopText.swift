#if !hasFeature(Embedded)
  import SignetBytes
  import SignetLanguage
#endif

/// What a program without a terminal shows through the desktop: in a notification, and in pinentry's window. Names and reasons
/// are the asking program's own words; `DesktopText.shown` makes them harmless.
public enum DesktopText {
  /// What stands over everything else. An empty name: the program did not say.
  public static func wantsFinger(_ application: String) -> String {
    application.isEmpty
      ? say("A program wants your finger") : say("\(application) wants your finger")
  }

  /// The same, where the passcode is asked for.
  public static func wantsPasscode(_ application: String) -> String {
    application.isEmpty
      ? say("A program wants your passcode") : say("\(application) wants your passcode")
  }

  /// Of pinentry's window.
  public static let title = "Signet"
  /// Before the hidden answer.
  public static var passcode: String { say("Passcode:") }
  public static var cancel: String { say("Cancel") }
  /// The way to the passcode, after a miss.
  public static var enterPasscode: String { say("Enter Passcode") }

  // MARK: - what was wrong with an answer

  public static var noPasscode: String { say("No passcode was entered") }
  public static var passcodeTooLong: String { say("No passcode is as long as that") }

  /// The longest name of a program, reason and button, in characters.
  public static let applicationLimit = 64
  public static let reasonLimit = 256
  public static let buttonLimit = 32

  /// Others' words in one line: at most so many characters, of which none hides or moves anything.
  public static func shown(_ text: String, limit: Int) -> String {
    let words = text.unicodeScalars.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }.map { String($0) }
    let line = ForeignText.harmless(words.joined(separator: " "))
    guard line.unicodeScalars.count > limit else { return line }
    return String(String.UnicodeScalarView(line.unicodeScalars.prefix(limit - 1))) + "…"
  }
}
