import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: say("Delete an enrolled finger, or all."),
    discussion: say("Asks for the passcode first, unless root runs it."))

  @Argument(help: ArgumentHelp(say("Which finger.")), completion: Completions.enrolledFingers)
  var finger: Finger?
  @Flag(name: .long, help: ArgumentHelp(say("Delete every enrolled finger.")))
  var all = false
  @OptionGroup var loss: LossOptions
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard all == (finger == nil) else { throw ValidationError(say("Name the finger to delete, or give --all for every one.")) }
  }

  func run() throws {
    try BoundItems(of: user.user, at: helper.socket).change(loss, isMoot: isNotThere) {
      try Dialogue.follow(
        AdministrationRequest.delete(user: user.user, finger), at: helper.socket, title: DoneText.deleting(finger)
      )
      Report.say(DoneText.deleted(finger))
    }
  }

  /// Then signetd says so, and nothing changes.
  private func isNotThere() -> Bool {
    guard let fingers = try? Listing<FingerRow>.fingers(of: user.user, at: helper.socket), fingers.failure == nil else {
      return false
    }
    return finger.map { finger in !fingers.rows.contains { $0.finger == finger } } ?? fingers.rows.isEmpty
  }
}
