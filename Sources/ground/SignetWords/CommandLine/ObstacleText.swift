import SignetLanguage
import SignetVocabulary

/// Why `signet` itself does not do what it was asked, and what to do about it; why signetd does not is `RefusalText`'s. A
/// number is an errno.
public enum ObstacleText {
  public static var noJSON: String { say("the answer cannot be written as JSON. Try it without --json.") }
  public static var argumentTooLong: String { say("an argument is longer than the protocol allows. Shorten it.") }
  public static func noAccount(_ uid: UInt32) -> String { say("uid \(uid) has no account. Name the user: --user NAME") }
  public static func exhausted(_ error: Int32) -> String {
    say("no memory or descriptor is left: \(ErrorText.of(error)). Close programs, then try again.")
  }
  public static var noMemory: String { say("no memory is left. Close programs, then try again.") }
  public static var allFingersEnrolled: String {
    say("all ten fingers are enrolled. Name the one to replace, or delete one: signet delete FINGER")
  }
  /// By a signal, as Ctrl-C sends it.
  public static var cancelled: String { say("Cancelled.") }
  public static func outputUnwritten(_ error: Int32) -> String { say("standard output: \(ErrorText.of(error))") }

  // MARK: - the passcode

  public static var noTerminalForPasscode: String {
    say("the passcode is needed, and there is no terminal to ask it on. Run it in a terminal.")
  }
  public static var noPasscode: String { say("no passcode was given. Nothing was changed.") }
  public static var passcodeTooLong: String {
    say("this passcode is longer than \(FieldLimit.passcode) bytes. Nothing was changed.")
  }

  // MARK: - the token

  public static var noTokenOfSignet: String {
    say("standard input has no token of Signet, which is hexadecimal digits on one line.")
  }
  public static var notSealed: String { say("standard input is nothing that `signet token seal` wrote.") }
  public static var sealDamaged: String { say("what was sealed is damaged or incomplete: use nothing of what was printed.") }
  public static var tokenTooLong: String { say("the token is too long.") }
  public static func tokenUnwritten(_ error: Int32) -> String {
    say("standard output: \(ErrorText.of(error)). The token was not printed whole.")
  }
  public static var foreignToken: String { say("the key signet:token of this session was not made by Signet. Log in again.") }
  public static var tokenRevoked: String { say("this session's token was revoked. Log in again for a new one.") }
  public static var tokenExpired: String { say("this session's token has expired. Log in again for a new one.") }
  public static var noToken: String {
    say("this session holds no token. It comes with a login through pam_signet; see pam_signet(8).")
  }
  public static func keyringUnreadable(_ error: Int32) -> String {
    say("the session keyring cannot be read: \(ErrorText.of(error)).")
  }

  // MARK: - secrets

  public static var noVaultToReset: String { say("there is no vault, and nothing to give up.") }
  public static var notConfirmed: String { say("not confirmed. Nothing was changed. Without a terminal: --yes") }
  public static func noItem(_ name: ItemName) -> String {
    say("there is no item \(ItemText.name(name)). Add it with: signet vault add")
  }
  public static func inputUnread(_ error: Int32) -> String { say("standard input: \(ErrorText.of(error)). Nothing was stored.") }
  public static var secondDiffers: String { say("the second was not the same. Nothing was stored.") }
  public static var noTerminalForSecret: String {
    say("there is no terminal to ask for the secret on. Give it on standard input.")
  }
  public static var noSecret: String { say("no secret was given. Nothing was stored.") }
  public static var lineTooLong: String {
    say("a terminal takes no line of more than 4094 bytes. Give the secret on standard input.")
  }
  public static var secretEmpty: String { say("the secret is empty. Nothing was stored. Where that is meant: --allow-empty") }
  public static var loginSecretEmpty: String { say("the login secret is empty. Nothing was stored.") }
  public static var secretTooLong: String { say("the secret is longer than \(ItemLimit.value) bytes. Nothing was stored.") }
  public static var loginSecretTooLong: String {
    say("the login secret is longer than \(FieldLimit.passcode) bytes. Nothing was stored.")
  }
  public static var loginSecretZeroByte: String {
    say("the login secret has a zero byte, which no passcode can have. Nothing was stored.")
  }
  public static func secretUnwritten(_ error: Int32) -> String {
    say("standard output: \(ErrorText.of(error)). The secret was not written whole.")
  }
  public static var unshowable: String {
    say("the value has bytes that a terminal would act on, so it is not shown. Write it to a pipe: … | cat -v")
  }
  public static var notShown: String { say("not shown. Write it to a pipe or a file, or use --show.") }

  // MARK: - PAM stacks

  public static func notInstalled(besides path: String) -> String {
    say("signet-stack, which runs the stacks, is not installed beside \(path).")
  }
  public static func badService(_ name: String) -> String { say("\(name): no service can have this name.") }
  public static func noService(_ file: String) -> String { say("\(file) is not there. Check the service's name.") }
  public static func unreadableForUser(_ file: String, _ error: Int32) -> String {
    say("\(file): \(ErrorText.of(error)). Run it as root.")
  }
  public static func unreadable(_ file: String, _ error: Int32) -> String { say("\(file): \(ErrorText.of(error)).") }
  public static func tooLarge(_ file: String, has what: String) -> String { say("\(file) has \(what): it is not checked.") }
  public static func noCopy(_ error: Int32) -> String {
    say("a copy in /tmp cannot be written: \(ErrorText.of(error)). Nothing was checked.")
  }
  public static func noProgram(_ path: String, _ error: Int32) -> String {
    say("\(path) cannot be run: \(ErrorText.of(error)). Nothing was checked.")
  }
}
