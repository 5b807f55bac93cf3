import SignetVocabulary

/// Why `signet` itself does not do what it was asked, and what to do about it; why signetd does not is `RefusalText`'s. A
/// number is an errno.
public enum ObstacleText {
  public static let noJSON = "the answer cannot be written as JSON. Try it without --json."
  public static let argumentTooLong = "an argument is longer than the protocol allows. Shorten it."
  public static func noAccount(_ uid: UInt32) -> String { "uid \(uid) has no account. Name the user: --user NAME" }
  public static func exhausted(_ error: Int32) -> String {
    "no memory or descriptor is left: \(ErrorText.of(error)). Close programs, then try again."
  }
  public static let noMemory = "no memory is left. Close programs, then try again."
  public static let allFingersEnrolled =
    "all ten fingers are enrolled. Name the one to replace, or delete one: signet delete FINGER"
  public static func outputUnwritten(_ error: Int32) -> String { "standard output: \(ErrorText.of(error))" }

  // MARK: - the passcode

  public static let noTerminalForPasscode =
    "the passcode is needed, and there is no terminal to ask it on. Run it in a terminal."
  public static let noPasscode = "no passcode was given. Nothing was changed."
  public static let passcodeTooLong = "this passcode is longer than \(FieldLimit.passcode) bytes. Nothing was changed."

  // MARK: - the token

  public static let noTokenOfSignet = "standard input has no token of Signet, which is hexadecimal digits on one line."
  public static let notSealed = "standard input is nothing that `signet token seal` wrote."
  public static let sealDamaged = "what was sealed is damaged or incomplete: use nothing of what was printed."
  public static let tokenTooLong = "the token is too long."
  public static func tokenUnwritten(_ error: Int32) -> String {
    "standard output: \(ErrorText.of(error)). The token was not printed whole."
  }
  public static let foreignToken = "the key signet:token of this session was not made by Signet. Log in again."
  public static let tokenRevoked = "this session's token was revoked. Log in again for a new one."
  public static let tokenExpired = "this session's token has expired. Log in again for a new one."
  public static let noToken = "this session holds no token. It comes with a login through pam_signet; see pam_signet(8)."
  public static func keyringUnreadable(_ error: Int32) -> String {
    "the session keyring cannot be read: \(ErrorText.of(error))."
  }

  // MARK: - secrets

  public static let noVaultToReset = "there is no vault, and nothing to give up."
  public static let notConfirmed = "not confirmed. Nothing was changed. Without a terminal: --yes"
  public static func noItem(_ name: ItemName) -> String {
    "there is no item \(ItemText.name(name)). Add it with: signet vault add"
  }
  public static func inputUnread(_ error: Int32) -> String { "standard input: \(ErrorText.of(error)). Nothing was stored." }
  public static let secondDiffers = "the second was not the same. Nothing was stored."
  public static let noTerminalForSecret = "there is no terminal to ask for the secret on. Give it on standard input."
  public static let noSecret = "no secret was given. Nothing was stored."
  public static let lineTooLong =
    "a terminal takes no line of more than 4094 bytes. Give the secret on standard input."
  public static let secretEmpty = "the secret is empty. Nothing was stored. Where that is meant: --allow-empty"
  public static let loginSecretEmpty = "the login secret is empty. Nothing was stored."
  public static let secretTooLong = "the secret is longer than \(ItemLimit.value) bytes. Nothing was stored."
  public static let loginSecretTooLong =
    "the login secret is longer than \(FieldLimit.passcode) bytes. Nothing was stored."
  public static let loginSecretZeroByte =
    "the login secret has a zero byte, which no passcode can have. Nothing was stored."
  public static func secretUnwritten(_ error: Int32) -> String {
    "standard output: \(ErrorText.of(error)). The secret was not written whole."
  }
  public static let unshowable =
    "the value has bytes that a terminal would act on, so it is not shown. Write it to a pipe: … | cat -v"
  public static let notShown = "not shown. Write it to a pipe or a file, or use --show."

  // MARK: - PAM stacks

  public static func notInstalled(besides path: String) -> String {
    "signet-stack, which runs the stacks, is not installed beside \(path)."
  }
  public static func badService(_ name: String) -> String { "\(name): no service can have this name." }
  public static func noService(_ file: String) -> String { "\(file) is not there. Check the service's name." }
  public static func unreadableForUser(_ file: String, _ error: Int32) -> String {
    "\(file): \(ErrorText.of(error)). Run it as root."
  }
  public static func unreadable(_ file: String, _ error: Int32) -> String { "\(file): \(ErrorText.of(error))." }
  public static func tooLarge(_ file: String, has what: String) -> String { "\(file) has \(what): it is not checked." }
  public static func noCopy(_ error: Int32) -> String {
    "a copy in /tmp cannot be written: \(ErrorText.of(error)). Nothing was checked."
  }
  public static func noProgram(_ path: String, _ error: Int32) -> String {
    "\(path) cannot be run: \(ErrorText.of(error)). Nothing was checked."
  }
}
