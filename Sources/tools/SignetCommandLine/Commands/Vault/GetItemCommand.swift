import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWords

struct GetItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: say("Release a secret to standard output, once the item's access control is satisfied."),
    discussion: say(
      """
      To a pipe or a file go exactly the bytes that were stored, or none at all. On a terminal it asks first, ends with a \
      newline, and refuses a value that would drive the terminal. Prefer `signet vault get … | command` to \
      `command $(signet vault get …)`: arguments of a command can be seen by all.
      """))

  @OptionGroup var item: NamedItem
  @Flag(name: .long, help: ArgumentHelp(say("Show it on a terminal without asking.")))
  var show = false
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let isTerminal = SecretOutput.isTerminal
    // Before any finger is asked for.
    if isTerminal, !show {
      let listing = try Listing<VaultEntry>.vault(of: user.user, at: helper.socket)
      if listing.isWhole, !listing.has(item.name) { throw CommandFailure(.refused, ObstacleText.noItem(item.name)) }
      try SecretOutput.askToShow()
    }
    let value = try ReleasedValue.of(item.name, user: user.user, at: helper.socket)
    if isTerminal { try SecretOutput.show(value.span) } else { try SecretOutput.write(value.span) }
  }
}
