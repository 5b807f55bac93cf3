import ArgumentParser
import SignetLanguage
import SignetWire
import SignetWords

struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: say("Clear a user's strikes, wrong passcodes and lock. Root only; signetd logs it."))

  @Argument(help: ArgumentHelp(say("Whose strikes.")), completion: Completions.users)
  var user: String
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard !user.isEmpty, !user.utf8.contains(0) else { throw ValidationError(say("Name the user whose strikes to clear.")) }
  }

  func run() throws {
    try Dialogue.follow(AdministrationRequest.reset(user: user), at: helper.socket)
    Report.say(DoneText.reset(user))
  }
}
