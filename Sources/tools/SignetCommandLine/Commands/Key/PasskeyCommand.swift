import ArgumentParser
import SignetBytes
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct PasskeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passkey", abstract: say("See, label and delete the passkeys by which your finger signs in to web sites."),
    discussion: say(
      """
      Browsers and other programs make and use them: signet-passkey(8). A passkey is named by its site, with its account behind a slash \
      where there are several, or by your label. None of these commands asks for a finger.
      """),
    subcommands: [
      ListPasskeysCommand.self, ShowPasskeyCommand.self, RenamePasskeyCommand.self, DeletePasskeyCommand.self,
    ])

  @OptionGroup var helper: HelperOptions
}

/// A passkey by a word that means it.
struct NamedPasskey: ParsableArguments {
  @Argument(help: ArgumentHelp(say("Its name in the list, or its site or label.")), completion: Completions.passkeys)
  var name: String
}

struct ListPasskeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: say("List the passkeys. Opens nothing and asks for nothing."))

  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let passkeys = try OwnPasskeys.all(of: user.user, at: helper.socket)
    if output.json { return try Report.json(passkeys.map(PasskeyRecord.init)) }
    if passkeys.isEmpty { return Report.complain(PasskeyUseText.none) }
    let states = passkeys.map(\.row.state)
    // Translators: headings of a table.
    let titles = [say("PASSKEY"), say("LABEL"), say("MADE"), say("DISCOVERABLE"), say("HELD IN"), say("STATE")]
    let columns: [(cells: [String], isTold: Bool)] = [
      (passkeys.map(\.name), true), (passkeys.map(\.label), passkeys.contains { !$0.label.isEmpty }),
      (passkeys.map { TimeText.local($0.row.created) }, true), (passkeys.map(PasskeyUseText.isDiscoverable), true),
      (passkeys.map(\.row.shownHome), passkeys.contains(where: \.row.isInTPM)), (states, states.contains { !$0.isEmpty }),
    ]
    // What is the same of all is no column.
    let told = zip(titles, columns).filter(\.1.isTold)
    Report.table(told.map(\.0), passkeys.indices.map { row in told.map { $0.1.cells[row] } })
  }
}

struct ShowPasskeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: say("Show what is known of a passkey. Opens nothing and asks for nothing."))

  @OptionGroup var passkey: NamedPasskey
  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let found = try OwnPasskeys.one(passkey.name, of: user.user, at: helper.socket)
    if output.json { return try Report.json(PasskeyRecord(found)) }
    let rows = [
      (say("Site:"), found.site), (say("Account:"), found.account), (say("Label:"), found.label),
      (say("Made:"), TimeText.local(found.row.created)), (say("Discoverable:"), PasskeyUseText.isDiscoverable(found)),
      (say("Asks for:"), AccessConstraint.text(of: found.row.item.accessControl)), (say("Held in:"), found.row.shownHome),
      (say("Credential:"), found.credential.name.hexadecimal), (say("State:"), found.row.state),
    ].filter { !$0.1.isEmpty }
    let width = rows.map(\.0.columns).max() ?? 0
    for (label, words) in rows { Report.say(label.padded(to: width) + " ", words) }
  }
}

struct RenamePasskeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: say("Give a passkey a label of yours. Its site and its account stay."))

  @OptionGroup var passkey: NamedPasskey
  @Argument(help: ArgumentHelp(say("What you call it.")))
  var label: String
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard (1...ItemLimit.name).contains(label.utf8.count), label == Printable.text(label) else {
      throw ValidationError(say("A label is text that a terminal can show, of 1 to \(ItemLimit.name) bytes."))
    }
  }

  func run() throws {
    let found = try OwnPasskeys.one(passkey.name, of: user.user, at: helper.socket)
    var item = found.row.item
    item.label = label
    try Dialogue.follow(VaultRequest.update(user: user.user, item, length: 0), at: helper.socket)
    Report.say(PasskeyUseText.labelled(found.name, label))
  }
}

struct DeletePasskeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: say("Delete a passkey, for good: nothing brings it back."))

  @OptionGroup var passkey: NamedPasskey
  @Flag(name: .long, help: ArgumentHelp(say("Do not ask whether it is meant.")))
  var yes = false
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let found = try OwnPasskeys.one(passkey.name, of: user.user, at: helper.socket)
    let question = PasskeyUseText.askToDelete(found.name, made: TimeText.local(found.row.created))
    guard try yes || Confirmation.ask(question, wanted: ["y", "yes"]) else {
      throw CommandFailure(.refused, ObstacleText.notConfirmed)
    }
    try Dialogue.follow(VaultRequest.delete(user: user.user, found.row.item.name), at: helper.socket)
    Report.say(PasskeyUseText.deleted(found.name))
  }
}

/// A passkey as JSON has it.
struct PasskeyRecord: Encodable {
  /// As the commands take it.
  var name: String
  /// The relying party's id, whole.
  var site: String
  var account: String
  var displayName: String
  /// What the user called it; empty for nothing.
  var label: String
  /// Whether it is found without the site's naming it.
  var discoverable: Bool
  /// Its own name, in hexadecimal digits.
  var credential: String
  var access: [String]
  /// `and` or `or`.
  var connective: String
  var accessible: String
  var created: String
  /// False where the fingers changed since.
  var isOfCurrentSet: Bool
  /// The fingers' change, where it is known.
  var fingerChange: FingerChangeRecord?
  /// `TPM` or `vault`: where the private half is.
  var heldIn: String

  init(_ passkey: OwnPasskeys.Passkey) {
    let (stored, item) = (passkey.credential, ItemRecord(passkey.row))
    (name, label, discoverable) = (passkey.name, passkey.label, stored.isDiscoverable)
    site = String(decoding: stored.site.id, as: UTF8.self)
    account = String(decoding: stored.account.name, as: UTF8.self)
    displayName = String(decoding: stored.account.displayName, as: UTF8.self)
    credential = stored.name.hexadecimal
    (access, connective, accessible) = (item.access, item.connective, item.accessible)
    (created, isOfCurrentSet, fingerChange) = (item.created, item.isOfCurrentSet, item.fingerChange)
    heldIn = passkey.row.home
  }
}

extension PasskeyUseText {
  fileprivate static func isDiscoverable(_ passkey: OwnPasskeys.Passkey) -> String {
    passkey.credential.isDiscoverable ? say("yes") : say("no")
  }
}
