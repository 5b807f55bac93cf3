import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct RenameItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: say("Give an item another name."),
    discussion: say(
      """
      Asks for what the item demands. The new item is stored before the old one is deleted; its label, access and so on stay, and it \
      is `signet`'s own from then on.
      """))

  @Argument(help: ArgumentHelp(say("What the secret is for.")), completion: Completions.itemServices)
  var service: String
  @Argument(help: ArgumentHelp(say("What it is to be for.")))
  var newService: String
  @Option(
    name: .long, help: ArgumentHelp(say("Whose it is there."), valueName: "name"), completion: Completions.itemAccounts)
  var account = ""
  @Option(name: .long, help: ArgumentHelp(say("Whose it is to be there; without it the account stays."), valueName: "name"))
  var newAccount: String?
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  private var old: ItemName { ItemName(service: service, account: account) }
  private var new: ItemName { ItemName(service: newService, account: newAccount ?? account) }

  func validate() throws {
    for name in [old, new] { try ItemChoice.check(name) }
    guard old != new else { throw ValidationError(say("This is the name that it has.")) }
  }

  func run() throws {
    // Before any finger is asked for.
    let row = try PresentItem.row(old, for: new, of: user.user, at: helper.socket)
    let secret = SecretInput(try ReleasedValue.of(old, user: user.user, at: helper.socket).taken())
    var item = row.item
    item.name = new
    let request = VaultRequest.add(user: user.user, item, length: secret.length)
    try Dialogue.store(request, secret, at: helper.socket)
    do {
      try PresentItem.check(row, of: user.user, at: helper.socket)
      try Dialogue.follow(VaultRequest.delete(user: user.user, old), at: helper.socket)
    } catch {
      Report.complain(ItemUseText.bothThere(old, new))
      throw error
    }
    Report.say(ItemUseText.renamed(old, new))
  }
}

struct EditItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: say("Change a secret in your editor, $VISUAL or $EDITOR."),
    discussion: say(
      """
      The editor's file is in memory only, for you alone, and is wiped afterwards. Where there is no such place, no editor or no \
      terminal, a new secret is taken as by `signet vault update`.
      """))

  @OptionGroup var item: NamedItem
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let row = try PresentItem.row(item.name, of: user.user, at: helper.socket)
    guard let editor = SecretInput.isTyped ? SecretEditor() : nil else {
      return try replace(row, by: SecretInput.read(.item(isTrimmed: false, mayBeEmpty: false)))
    }
    let value = try ReleasedValue.of(item.name, user: user.user, at: helper.socket).taken()
    guard SecretOutput.isShowable(value.span) else { throw CommandFailure(.refused, ItemUseText.uneditable) }
    let edited = try editor.edit(value)
    guard edited.count > 0 else { throw CommandFailure(.refused, ItemUseText.editedEmpty) }
    if SecretInput.areEqual(edited, value) { return Report.say(ItemUseText.unchanged(item.name)) }
    try PresentItem.check(row, of: user.user, at: helper.socket)
    try replace(row, by: SecretInput(edited))
  }

  private func replace(_ row: ItemRow, by secret: consuming SecretInput) throws {
    let request = VaultRequest.update(user: user.user, row.item, length: secret.length)
    try Dialogue.store(request, secret, at: helper.socket)
    Report.say(DoneText.replaced(item.name))
  }
}
