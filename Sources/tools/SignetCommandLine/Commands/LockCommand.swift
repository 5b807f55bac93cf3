import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: say("Require the passcode from now on, whatever the finger says, until it was used."))

  @Argument(help: ArgumentHelp(say("Whose fingers to lock; another user's only as root.")), completion: Completions.users)
  var user = ""
  @OptionGroup var helper: HelperOptions

  mutating func validate() throws {
    guard user.utf8.count <= FieldLimit.user, !user.utf8.contains(0) else { throw ValidationError(say("This is no user name.")) }
    user = Caller.chosen(user)
  }

  func run() throws {
    try Dialogue.follow(AdministrationRequest.lock(user: user), at: helper.socket)
    let status = try? Listing<AdministrationReply>.status(of: user, at: helper.socket).strikes
    Report.say(status?.lock == LockReason.none ? DoneText.notLocked(user) : DoneText.locked(user))
  }
}
