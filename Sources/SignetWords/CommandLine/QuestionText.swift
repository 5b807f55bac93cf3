import SignetVocabulary

/// What is asked on a terminal.
public enum QuestionText {
  public static func passcode(_ reason: PasscodeReason) -> String {
    reason == .oldPasscode ? "Old passcode: " : "Passcode: "
  }
  public static let secret = "Secret: "
  public static let secretAgain = "Secret again: "
  public static let loginSecret = "Login secret: "
  public static let loginSecretAgain = "Login secret again: "
  public static let showSecret = "Show the secret on this screen? [y/N] "
  public static let resetVault = "Type reset to go on: "
  /// While a finger is enrolled.
  public static let liftFinger = "Lift the finger, then put it on again"
}
