import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct VaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault", abstract: say("Keep secrets that only your finger or passcode opens, on this machine."),
    discussion: say(
      """
      Secrets are read from standard input or a hidden question, never from an argument. `signet vault get` writes to a pipe \
      or a file, and to a screen only after asking. The passcode opens the vault, once after a start or a lock.
      """),
    subcommands: [
      AddItemCommand.self, UpdateItemCommand.self, EditItemCommand.self, RenameItemCommand.self, GetItemCommand.self,
      CopyItemCommand.self, ListItemsCommand.self, DeleteItemCommand.self, RevokeProgramsCommand.self, ExportVaultCommand.self,
      ImportVaultCommand.self, RecoverVaultCommand.self, ResetVaultCommand.self, ClearClipboardCommand.self,
    ])

  @OptionGroup var helper: HelperOptions
}

/// Which item: an ordinary one by its name, or the login secret.
struct ItemChoice: ParsableArguments {
  @Argument(
    help: ArgumentHelp(say("What the secret is for, for instance mail.example.org.")), completion: Completions.itemServices)
  var service: String?
  @Argument(help: ArgumentHelp(say("Whose it is there.")), completion: Completions.itemAccounts)
  var account: String?
  @Flag(
    name: .long,
    help: ArgumentHelp(say("The login secret, which a login by finger hands to the session's keyring, instead of a service.")))
  var loginSecret = false

  var name: ItemName { service.map { ItemName(service: $0, account: account ?? "") } ?? .loginSecret }

  func validate() throws {
    guard loginSecret == (service == nil) else { throw ValidationError(say("Name a service, or give --login-secret.")) }
    try ItemChoice.check(name)
  }

  static func check(_ name: ItemName) throws {
    // Programs may store an item without a service. On a command line an empty argument is a variable that was not set.
    guard name.isValid, name == .loginSecret || !name.service.isEmpty else {
      throw ValidationError(say("A service has 1 to \(ItemLimit.name) bytes, an account at most \(ItemLimit.name)."))
    }
  }
}

/// An ordinary item, by its name.
struct NamedItem: ParsableArguments {
  @Argument(help: ArgumentHelp(say("What the secret is for.")), completion: Completions.itemServices)
  var service: String
  @Argument(help: ArgumentHelp(say("Whose it is there.")), completion: Completions.itemAccounts)
  var account = ""

  var name: ItemName { ItemName(service: service, account: account) }

  func validate() throws { try ItemChoice.check(name) }
}

struct ListItemsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: say("List the items. Opens nothing and asks for nothing."))

  @Argument(
    help: ArgumentHelp(
      say("List only items with this text in their service, account or label; large and small letters are one.")),
    completion: Completions.itemServices)
  var text: String?
  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let listing = try Listing<VaultEntry>.vault(of: user.user, at: helper.socket)
    let problems = listing.problems
    let items = listing.items.filter(isMeant).sorted { ListItemsCommand.key($0) < ListItemsCommand.key($1) }
    try show(items, isWhole: listing.isWhole)
    for problem in problems { Report.complain("signet: \(problem)") }
    if let failure = listing.failure { throw failure }
    if !problems.isEmpty { throw CommandFailure(.refused, "") }
    if let text, items.isEmpty { throw CommandFailure(.refused, ItemUseText.noneWith(text)) }
  }

  /// Keys have a list of their own.
  private func isMeant(_ row: ItemRow) -> Bool {
    if row.item.name.kind == .key { return false }
    guard let text = text?.lowercased(), !text.isEmpty else { return true }
    return [row.item.name.service, row.item.name.account, row.item.label].contains { $0.lowercased().contains(text) }
  }

  private func show(_ rows: [ItemRow], isWhole: Bool) throws {
    if output.json { return try Report.json(rows.map(ItemRecord.init)) }
    if rows.isEmpty { return isWhole && text == nil ? Report.complain(DoneText.noItems) : () }
    let states = rows.map(\.state)
    let programs = rows.map(ListItemsCommand.programs)
    let items = rows.map(\.item)
    // Translators: headings of a table. ACCESS: what has to be proved for an item. ACCESSIBLE: when it can be read at all.
    let titles = [say("SERVICE"), say("ACCOUNT"), say("LABEL"), say("ACCESS"), say("ACCESSIBLE"), say("MODIFIED")]
    let columns: [(cells: [String], isTold: Bool)] = [
      (items.map { $0.name == .loginSecret ? say("(login secret)") : $0.name.service }, true),
      (items.map(\.name.account), items.contains { !$0.name.account.isEmpty }),
      (items.map(\.label), items.contains { !$0.label.isEmpty }),
      (
        items.map { AccessConstraint.text(of: $0.accessControl) },
        items.contains { $0.accessControl != AccessControl(.userPresence) }
      ),
      (items.map(\.accessibility.name), items.contains { $0.accessibility != .whenUnlocked }),
      (rows.map { TimeText.local($0.modified) }, true), (programs, programs.contains { !$0.isEmpty }),
      (states, states.contains { !$0.isEmpty }),
    ]
    // What nobody has asked for is no column.
    let told = zip(titles + [say("PROGRAMS"), say("STATE")], columns).filter(\.1.isTold)
    Report.table(told.map(\.0), rows.indices.map { row in told.map { $0.1.cells[row] } })
  }

  /// By name, the login secret first.
  private static func key(_ row: ItemRow) -> (String, String) { (row.item.name.service, row.item.name.account) }

  /// Empty where it is this one alone.
  private static func programs(_ row: ItemRow) -> String {
    let programs = ([row.creator] + row.others).filter { !$0.isEmpty }
    return programs == [CommandPath.own] ? "" : programs.map(CommandPath.shown).joined(separator: ", ")
  }
}

struct DeleteItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: say("Delete an item, for good. Asks for nothing."))

  @OptionGroup var choice: ItemChoice
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    try Dialogue.follow(VaultRequest.delete(user: user.user, choice.name), at: helper.socket)
    Report.say(DoneText.deleted(choice.name))
  }
}

struct RevokeProgramsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: say("Forget which other programs may read an item. Each of them needs your consent again. Asks for nothing."))

  @OptionGroup var choice: ItemChoice
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    try Dialogue.follow(VaultRequest.revoke(user: user.user, choice.name), at: helper.socket)
    Report.say(DoneText.revoked(choice.name))
  }
}
