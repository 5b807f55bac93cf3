import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct AddItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: say("Store a new secret, from standard input or a hidden question."),
    discussion: StoringOptions.discussion(
      say(
        """
        Without --access the item asks for userPresence, your finger or your passcode; without --accessible it can be read \
        whenUnlocked, while you have a session.
        """)))

  @OptionGroup var options: StoringOptions
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let item = options.attributes.applied(to: options.attributes.begin(options.choice.name))
    // Before somebody types it twice.
    if SecretInput.isTyped, try Listing<VaultEntry>.vault(of: user.user, at: helper.socket).has(item.name) {
      throw CommandFailure(Refusal.duplicateItem)
    }
    let secret = try SecretInput.read(options.form)
    let request = VaultRequest.add(user: user.user, item, length: secret.length)
    try Dialogue.store(request, secret, at: helper.socket)
    Report.say(DoneText.stored(item.name))
  }
}

struct UpdateItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: say("Replace a secret that is there; what is not given of label, access and so on stays."),
    discussion: StoringOptions.discussion(
      say("An item that was lost because the fingers changed is bound to the fingers that are enrolled now.")))

  @OptionGroup var options: StoringOptions
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let item = options.attributes.applied(to: try present())
    let secret = try SecretInput.read(options.form)
    let request = VaultRequest.update(user: user.user, item, length: secret.length)
    try Dialogue.store(request, secret, at: helper.socket)
    Report.say(DoneText.replaced(item.name))
  }

  /// The item as it is. An access control that is not given again must not be loosened unnoticed.
  private func present() throws -> Item {
    let name = options.choice.name
    return try name == .loginSecret ? .loginSecret : PresentItem.row(name, of: user.user, at: helper.socket).item
  }
}

/// What `add` and `update` take.
struct StoringOptions: ParsableArguments {
  @OptionGroup var choice: ItemChoice
  @Argument(help: .hidden)
  var excess: [String] = []
  @OptionGroup var attributes: AttributeOptions
  @Flag(name: .long, help: ArgumentHelp(say("Leave out one newline at the end of standard input, as `echo` writes it.")))
  var trim = false
  @Flag(name: .long, help: ArgumentHelp(say("Store a secret without a byte, too.")))
  var allowEmpty = false

  var form: SecretInput.Form {
    choice.loginSecret ? .loginSecret : .item(isTrimmed: trim, mayBeEmpty: allowEmpty)
  }

  func validate() throws {
    // What stands there may be a secret, so that the message does not repeat it.
    guard excess.isEmpty else {
      throw ValidationError(
        say(
          """
          A secret is no argument: every process could see this one, and the shell keeps it. Nothing was stored. Give it on standard \
          input, or be asked for it.
          """))
    }
    guard !choice.loginSecret || (!attributes.areGiven && !trim && !allowEmpty) else {
      throw ValidationError(
        say("--login-secret takes no other options: it is for the fingers that are enrolled now, and one line of 1 to 512 bytes.")
      )
    }
  }

  static func discussion(_ first: String) -> String {
    say(
      """
      \(first) Standard input is stored byte for byte, up to 65536; on a terminal the secret is asked for twice, hidden. \
      Several --access need --any or --all.
      """)
  }
}

/// What an item has besides its name and its value.
struct AttributeOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp(say("How the item is shown."), valueName: "text"))
  var label: String?
  @Option(name: .long, help: ArgumentHelp(say("Whatever is worth remembering; not secret."), valueName: "text"))
  var comment: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      say(
        """
        What has to be proved: an enrolled finger (biometryAny), one of those that are enrolled now (biometryCurrentSet: \
        enrolling or deleting a finger destroys the item), finger or passcode (userPresence), the passcode (devicePasscode), \
        nothing (none). May be given several times.
        """), valueName: "constraint"))
  var access: [AccessConstraint] = []
  @Flag(name: .long, help: ArgumentHelp(say("Of several --access, one is enough.")))
  var any = false
  @Flag(name: .long, help: ArgumentHelp(say("Of several --access, all are needed.")))
  var all = false
  @Option(
    name: .long,
    help: ArgumentHelp(
      say(
        """
        When it can be read at all: while you have a session (whenUnlocked), as long as the vault is open (afterFirstUnlock), \
        or while you have a session and a passcode (whenPasscodeSet).
        """), valueName: "when"))
  var accessible: Accessibility?

  var areGiven: Bool { label != nil || comment != nil || !access.isEmpty || any || all || accessible != nil }

  func validate() throws {
    for (name, text) in [("--label", label), ("--comment", comment)] where (text ?? "").utf8.count > ItemLimit.text {
      throw ValidationError(say("\(name): at most \(ItemLimit.text) bytes."))
    }
    let isSingle = Set(access).count <= 1
    guard !(any && all), isSingle || any || all, !access.isEmpty || !(any || all) else {
      throw ValidationError(say("Several --access need one of --any and --all; those two are for --access only."))
    }
    guard isSingle || !access.contains(.none) else { throw ValidationError(say("--access none stands alone.")) }
  }

  /// A new item, before the options are applied: any login secret's, or what people expect a finger to open.
  func begin(_ name: ItemName) -> Item {
    name == .loginSecret ? .loginSecret : Item(name, accessControl: AccessControl(.userPresence), accessibility: .whenUnlocked)
  }

  /// The item with what was given.
  func applied(to item: Item) -> Item {
    var item = item
    item.label = label ?? item.label
    item.comment = comment ?? item.comment
    item.accessibility = accessible ?? item.accessibility
    if !access.isEmpty {
      let constraints = access.reduce(into: AccessControl.Constraints()) { $0.formUnion($1.constraints) }
      item.accessControl = AccessControl(constraints, any && Set(access).count > 1 ? .or : .and)
    }
    return item
  }
}

extension AccessConstraint: ExpressibleByArgument {}

extension Accessibility: ExpressibleByArgument {
  public init?(argument: String) {
    guard let accessibility = Accessibility.allCases.first(where: { $0.name == argument }) else { return nil }
    self = accessibility
  }
  public static var allValueStrings: [String] { allCases.map(\.name) }
}
