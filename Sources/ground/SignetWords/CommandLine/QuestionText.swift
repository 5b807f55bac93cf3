import SignetLanguage
import SignetVocabulary

/// What is asked on a terminal.
public enum QuestionText {
  public static func passcode(_ reason: PasscodeReason) -> String {
    reason == .oldPasscode ? say("Old passcode: ") : say("Passcode: ")
  }
  /// Above that question, where somebody meets the word first.
  public static var passcodeToEnroll: String { say("To enroll a finger, enter your passcode (your login password).") }
  public static var secret: String { say("Secret: ") }
  public static var secretAgain: String { say("Secret again: ") }
  public static var loginSecret: String { say("Login secret: ") }
  public static var loginSecretAgain: String { say("Login secret again: ") }
  public static var showSecret: String { say("Show the secret on this screen? [y/N] ") }
  public static var goOn: String { say("Go on? [y/N] ") }
  public static var resetVault: String { say("Type reset to go on: ") }
  public static var bind: String { say("Bind this device to that account? [y/N] ") }
  /// While a finger is enrolled.
  public static var liftFinger: String { say("Lift the finger, then put it on again") }
}
