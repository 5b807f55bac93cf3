import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: say("Keys that sign once your finger or passcode allows it, and that no program sees."),
    discussion: say(
      """
      For ssh, git and everything that knows ECDSA with P-256. The private key is made in the TPM, where that has the device key, and \
      otherwise in your vault, and never leaves it: it is in no backup. Where it is lost, make another one.
        signet key make laptop              make a key, and print its public half
        signet key agent -- ssh HOST        log in by it
      """),
    subcommands: [
      MakeKeyCommand.self, ListKeysCommand.self, PublicKeyCommand.self, SignCommand.self, DeleteKeyCommand.self,
      KeyAgentCommand.self, ServeKeysCommand.self,
      AnswerClientCommand.self,
    ])

  @OptionGroup var helper: HelperOptions
}

/// A key by its name.
struct NamedKey: ParsableArguments {
  @Argument(help: ArgumentHelp(say("What the key is called.")), completion: Completions.keys)
  var name: String

  var item: ItemName { ItemName(kind: .key, service: name, account: "") }

  func validate() throws {
    guard item.isValid, !name.isEmpty else { throw ValidationError(say("A key's name has 1 to \(ItemLimit.name) bytes.")) }
    // It stands at the end of a line of `authorized_keys`.
    guard name == Printable.text(name) else { throw ValidationError(say("A key's name is text that a terminal can show.")) }
  }
}

struct MakeKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: say("Make a key, and print its public half as ssh has it."),
    discussion: say(
      """
      Without --access each signature asks for userPresence, your finger or your passcode. With biometryCurrentSet a finger that is \
      enrolled later destroys the key.
      """))

  @OptionGroup var key: NamedKey
  @OptionGroup var attributes: AttributeOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let item = attributes.applied(to: attributes.begin(key.item))
    var items = try OwnItems(at: helper.socket, reason: KeyUseText.making(key.name))
    guard let made = PublicKey(point: try items.makeKey(item)) else { throw CommandFailure.unexpectedReply }
    // The line alone is for a file; this is for who typed.
    let isInTPM = (try? OwnKeys.one(key.name, at: helper.socket))?.row.isInTPM
    Report.complain(isInTPM == true ? KeyUseText.madeInTPM(key.name) : KeyUseText.made(key.name))
    print(made.sshLine(comment: key.name))
  }
}

struct ListKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: say("List the keys. Opens nothing and asks for nothing."))

  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let keys = try OwnKeys.all(lost: true, of: user.user, at: helper.socket)
    if output.json { return try Report.json(keys.map(KeyRecord.init)) }
    if keys.isEmpty { return Report.complain(KeyUseText.none) }
    let states = keys.map(\.row.state)
    let hasStates = states.contains { !$0.isEmpty }
    let hasTPM = keys.contains(where: \.row.isInTPM)
    let rows = zip(keys, states).map { key, state in
      [
        key.shown, AccessConstraint.text(of: key.row.item.accessControl), key.key.fingerprint,
        TimeText.local(key.row.created),
      ]
        + (hasTPM ? [key.row.shownHome] : []) + (hasStates ? [state] : [])
    }
    // Translators: headings of a table.
    let titles = [say("KEY"), say("ACCESS"), say("FINGERPRINT"), say("MADE")]
    // Translators: heading of a table: where the private half of a key is, the TPM or the vault.
    Report.table(titles + (hasTPM ? [say("HELD IN")] : []) + (hasStates ? [say("STATE")] : []), rows)
  }
}

/// Where the private half of a key is.
extension ItemRow {
  /// As JSON has it.
  var home: String { isInTPM ? "TPM" : "vault" }
  var shownHome: String { isInTPM ? "TPM" : say("vault") }
}

/// A key as JSON has it.
struct KeyRecord: Encodable {
  var name: String
  /// Empty, but for those of other programs.
  var account: String
  var label: String
  var comment: String
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
  /// As a line of `authorized_keys` has it.
  var publicKey: String
  /// As ssh-keygen shows it.
  var fingerprint: String

  init(_ key: OwnKeys.Key) {
    let item = ItemRecord(key.row)
    (name, account) = (item.service, item.account)
    (label, comment, access, connective) = (item.label, item.comment, item.access, item.connective)
    (accessible, created, isOfCurrentSet, fingerChange) = (item.accessible, item.created, item.isOfCurrentSet, item.fingerChange)
    heldIn = key.row.home
    publicKey = key.key.sshLine(comment: key.shown)
    fingerprint = key.key.fingerprint
  }
}

struct PublicKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "public", abstract: say("Print a key's public half, as ssh has it. Asks for nothing."))

  @OptionGroup var key: NamedKey
  @Flag(name: .long, help: ArgumentHelp(say("As openssl has it.")))
  var pem = false
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let found = try OwnKeys.one(key.name, at: helper.socket)
    print(pem ? found.key.pem : found.key.sshLine(comment: key.name))
  }
}

struct DeleteKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: say("Delete a key, for good: nothing brings it back."))

  @OptionGroup var key: NamedKey
  @Flag(name: .long, help: ArgumentHelp(say("Do not ask whether it is meant.")))
  var yes = false
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let found = try OwnKeys.one(key.name, of: user.user, at: helper.socket)
    guard try yes || Confirmation.ask(KeyUseText.askToDelete(key.name), wanted: ["y", "yes"]) else {
      throw CommandFailure(.refused, ObstacleText.notConfirmed)
    }
    try Dialogue.follow(VaultRequest.delete(user: user.user, found.name), at: helper.socket)
    Report.say(KeyUseText.deleted(key.name))
  }
}
