import ArgumentParser
import SignetLanguage
import SignetMemory
import SignetVocabulary
import SignetWords

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: say("Verify an enrolled finger: exit status 0 if, and only if, it matches."),
    discussion: say("A miss counts as a strike, as at a login. No passcode is asked."))

  @Option(name: .long, help: ArgumentHelp(say("How long to wait for a finger, 1 to 3600."), valueName: "seconds"))
  var timeout: UInt16 = 30
  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard (1...3600).contains(timeout) else { throw ValidationError(say("--timeout: give 1 to 3600 seconds.")) }
  }

  func run() throws {
    // Its JSON has no sentence, and who touches the reader reads what it shows meanwhile.
    speakUsersLanguage()
    let name = try user.user.isEmpty ? Caller.name() : user.user
    var dialogue = try Dialogue(verifying: name, timeout: timeout, at: helper.socket)
    let verdict = try dialogue.verdict()
    if output.json { try Report.json(VerdictRecord(verdict)) }
    guard verdict == .success else { throw CommandFailure(ExitStatus(verdict), VerdictText.verification(verdict)) }
    if !output.json { Report.say(VerdictText.verification(verdict)) }
  }
}
