import ArgumentParser
import SignetVocabulary

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an enrolled finger, or all.",
    discussion: "Asks for the passcode first, unless root runs it.")

  @Argument(help: "Which finger.")
  var finger: Finger?
  @Flag(name: .long, help: "Delete every enrolled finger.")
  var all = false
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard all == (finger == nil) else { throw ValidationError("Name the finger to delete, or give --all for every one.") }
  }

  func run() throws {
    var exchange = try Exchange(socket: helper.socket)
    try exchange.send(.delete(user: user.user, finger))
    var dialogue = Dialogue(title: "Deleting \(finger?.name ?? "all fingers")")
    try dialogue.follow(&exchange)
    print("Deleted \(finger?.name ?? "all fingers").")
  }
}
