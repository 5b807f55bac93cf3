import ArgumentParser
import SignetLanguage
import SignetVocabulary

struct SignetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signet",
    abstract: say("Log in with a finger: enroll fingers, see what is locked, keep secrets, use the session's token."),
    discussion: say(
      """
        signet enroll right-index-finger  enroll a finger
        signet status                     see what is enrolled, what is locked, and why
        signet vault add mail             keep a secret that your finger opens
      The passcode is your login password.
      """),
    version: "\(Version.text)",
    groupedSubcommands: [
      CommandGroup(
        name: say("Fingers"),
        subcommands: [
          EnrollCommand.self, ImportCommand.self, ListCommand.self, DeleteCommand.self, VerifyCommand.self, StatusCommand.self,
          HistoryCommand.self, LockCommand.self, ReadersCommand.self,
        ]),
      CommandGroup(
        name: say("Secrets"), subcommands: [VaultCommand.self, RunCommand.self, KeyCommand.self, PasskeyCommand.self]),
      CommandGroup(
        name: say("Sign-in"),
        subcommands: [
          TokenCommand.self, SessionsCommand.self, BindCommand.self, LoginCommand.self, UnbindCommand.self, BindingsCommand.self,
        ]),
      CommandGroup(
        name: say("Administration"),
        subcommands: [
          DoctorCommand.self, ResetCommand.self, PolicyCommand.self, CheckConfigCommand.self, CheckPAMCommand.self,
          SelftestCommand.self, SuspendCommand.self, ResumeCommand.self,
        ]),
    ])

  /// What stands at the end of the help.
  static var exitStatuses: String {
    say(
      """
      Exit status: 0 done, 1 refused, not verified or not found, 2 usage, 3 signetd does not answer, 4 locked, \
      5 reader unavailable, 6 permission denied, 128 and the signal's number when interrupted. More in signet(1).
      """)
  }

  /// As `--version`; its help is that one's.
  @Flag(name: .customShort("V"), help: .hidden) var isVersionAsked = false
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    if isVersionAsked { throw CleanExit.message(SignetCommand.configuration.version) }
  }
}

/// Where signetd listens.
struct HelperOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp(say("Where signetd listens."), valueName: "path"), completion: .file())
  var socket = HelperOptions.standardSocket

  static let standardSocket = "/run/signet/socket"
}

/// Whose fingers; signetd reads an empty name as the caller's own.
struct UserOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp(say("Whose fingers or vault; another user's only as root."), valueName: "name"),
    completion: Completions.users)
  var user = ""

  mutating func validate() throws {
    guard user.utf8.count <= FieldLimit.user, !user.utf8.contains(0) else {
      throw ValidationError(say("--user: this is no user name."))
    }
    user = Caller.chosen(user)
  }
}

struct OutputOptions: ParsableArguments {
  @Flag(name: .long, help: ArgumentHelp(say("Print JSON, for programs.")))
  var json = false

  /// Its sentences are English, like all else that programs compare.
  func validate() {
    if json { speakEnglish() }
  }
}
