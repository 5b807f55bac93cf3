import ArgumentParser
import SignetLanguage
import SignetWire
import SignetWords

struct RecoverVaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: say("Open the vault with your old passcode, after your passcode was reset."),
    discussion: say("Asks for the present passcode, then for the one before. From then on the present one opens the vault."))

  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    try Dialogue.follow(VaultRequest.recover(user: user.user), at: helper.socket)
    Report.say(DoneText.recovered)
  }
}

struct ResetVaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: say("Give up the vault: its key and all its items are gone for good."),
    discussion: say("Says what that costs and asks for a word first, then for the passcode, unless root runs it."))

  @Flag(name: .long, help: ArgumentHelp(say("Do not ask for the word.")))
  var yes = false
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let vault = try Listing<AdministrationReply>.status(of: user.user, at: helper.socket).vault
    guard vault.state != .none else { throw CommandFailure(.refused, ObstacleText.noVaultToReset) }
    Report.complain(DoneText.willBeGone(vault.count))
    guard try yes || Confirmation.ask(QuestionText.resetVault, wanted: ["reset"]) else {
      throw CommandFailure(.refused, ObstacleText.notConfirmed)
    }
    try Dialogue.follow(VaultRequest.reset(user: user.user), at: helper.socket)
    Report.say(DoneText.vaultReset)
  }
}
