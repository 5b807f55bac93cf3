import ArgumentParser
import SignetAgentProtocol
import SignetFiles
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

/// Which account at which provider.
struct AccountOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(say("The provider's issuer: the URL by which it calls itself."), valueName: "issuer"),
    completion: Completions.issuers)
  var issuer: String
  @Option(name: .long, help: ArgumentHelp(say("One of several accounts there, by a name of yours."), valueName: "name"))
  var account = ""

  func validate() throws {
    guard issuer.hasPrefix("https://"), issuer.utf8.count <= 200, account.utf8.count <= 64 else {
      throw ValidationError(say("An issuer is an https URL of at most 200 bytes, an account a name of at most 64."))
    }
  }
}

struct AgentOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp(say("Where signet-agent listens."), valueName: "path"), completion: .file())
  var agent: String?

  func path() throws(CommandFailure) -> String {
    do throws(RuntimeFolder.Failure) { return try AgentSocket.path(agent) } catch {
      throw CommandFailure(.noHelper, error.sentence)
    }
  }
}

struct BindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bind",
    abstract: say("Bind this device to an account at an identity provider: from then on your finger signs in."),
    discussion: say(
      """
      You confirm by your finger, and sign in once at the provider, in the browser or on another device. What signs in from \
      then on is in your vault, sealed for the fingers that are enrolled.
      """))

  @OptionGroup var account: AccountOptions
  @Flag(name: .long, help: ArgumentHelp(say("Sign in on another device, by a code.")))
  var device = false
  @Option(
    name: .customLong("client-id"),
    help: ArgumentHelp(say("As what this device is registered there; without it, it registers itself.")))
  var clientID: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      say("The port of http://127.0.0.1/callback, where a provider compares it; without it, any that is free."), valueName: "port"
    ))
  var redirectPort: Int?
  @Option(name: .long, help: ArgumentHelp(say("What the tokens are to be good for; may be said several times.")))
  var scope = ["openid"]
  @OptionGroup var agent: AgentOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard redirectPort.map({ (1024...65535).contains($0) }) ?? true else {
      throw ValidationError(say("--redirect-port takes a port from 1024 to 65535."))
    }
  }

  func run() throws {
    let session = try AgentDialogue.session()
    // What is bound is for the finger: whoever has none could never use it.
    try FingerCheck.pass(at: helper.socket)
    try VaultOpening.pass(at: helper.socket)
    let dialogue = try AgentDialogue(
      AgentRequest(
        .bind, session: session, issuer: account.issuer, account: account.account, signIn: device ? .device : .browser,
        clientID: clientID, redirectPort: redirectPort, scopes: scope), agent)
    try dialogue.follow()
    Report.say(AgentCommandText.bound(account.issuer))
  }
}

struct LoginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: say("Sign in by finger at a provider that this device is bound to."),
    discussion: say("After a login by finger this has happened by itself; after five misses or `signet lock` it is needed again.")
  )

  @OptionGroup var account: AccountOptions
  @OptionGroup var agent: AgentOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    try VaultOpening.pass(at: helper.socket)
    try AgentDialogue.follow(.login, account, agent)
    Report.say(AgentCommandText.signedIn(account.issuer))
  }
}

struct UnbindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unbind", abstract: say("Sign out at a provider, and erase what signs in there."))

  @OptionGroup var account: AccountOptions
  @OptionGroup var agent: AgentOptions

  func run() throws {
    try AgentDialogue.follow(.unbind, account, agent)
    Report.say(AgentCommandText.unbound(account.issuer))
  }
}

struct BindingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bindings", abstract: say("List the accounts that this device is bound to."))

  @OptionGroup var output: OutputOptions
  @OptionGroup var agent: AgentOptions

  func run() throws {
    let dialogue = try AgentDialogue(AgentRequest(.bindings, session: try AgentDialogue.session()), agent)
    var rows: [AgentBinding] = []
    while case .binding(let row) = try dialogue.next() { rows.append(row) }
    if output.json { return try Report.json(rows.map(BindingRow.init)) }
    if rows.isEmpty { return Report.complain(AgentCommandText.noBindings) }
    Report.table(
      [say("ISSUER"), say("ACCOUNT"), say("USER"), say("BOUND"), say("SIGNED IN")],
      rows.map { row in
        [
          row.issuer, row.account, row.user.isEmpty ? say("(not named)") : Printable.text(row.user),
          TimeText.local(UInt64(max(0, row.bound))),
          row.isSignedIn ? say("yes") : say("no"),
        ]
      })
  }
}

/// A binding, for `--json`.
private struct BindingRow: Encodable {
  let issuer: String
  let account: String
  let user: String
  let scopes: [String]
  let bound: String
  let isSignedIn: Bool

  init(_ row: AgentBinding) {
    issuer = row.issuer
    account = row.account
    user = row.user
    scopes = row.scopes
    bound = TimeText.utc(UInt64(max(0, row.bound)))
    isSignedIn = row.isSignedIn
  }
}

extension AgentDialogue {
  /// Has the agent do something with one account.
  static func follow(_ kind: AgentRequest.Kind, _ account: AccountOptions, _ agent: AgentOptions) throws {
    try AgentDialogue(
      AgentRequest(kind, session: try session(), issuer: account.issuer, account: account.account), agent
    ).follow()
  }

  /// Shows what the agent says until it has done what it was asked.
  func follow() throws(CommandFailure) {
    var opened: LeadingPage?
    defer { opened?.remove() }
    while true {
      switch try next() {
      case .done: return
      case .say(let text): Report.complain(Printable.text(text))
      case .open(let page):
        Report.complain(lines: AgentCommandText.openPage(Printable.text(page)))
        opened = Browser.open(page)
      case .code(let code, let page, let pageWithCode):
        Report.complain(lines: AgentCommandText.typeCode(Printable.text(code), Printable.text(page)))
        QRCode.show(pageWithCode ?? page)
      case .account(let user):
        Report.complain(AgentCommandText.signedIn(as: user.map { Printable.text($0) }))
        try answer(isYes: try Confirmation.ask(QuestionText.bind, wanted: ["y", "yes"]))
      case .binding, .token, .roleKeys, .failed: throw .unexpectedReply
      }
    }
  }
}

/// Whether the owner's finger is there, before something is bound to it.
private enum FingerCheck {
  static func pass(at socket: String) throws(CommandFailure) {
    var dialogue = try Dialogue(verifying: try Caller.name(), timeout: 30, at: socket)
    let verdict = try dialogue.verdict()
    guard verdict == .success else { throw CommandFailure(ExitStatus(verdict), VerdictText.verification(verdict)) }
  }
}

/// The vault, open before the agent keeps something there or has it released: the agent asks for no passcode.
private enum VaultOpening {
  /// Where the vault is closed, or there is none yet, the passcode is asked for.
  static func pass(at socket: String) throws(CommandFailure) {
    // signetd asks for the value of a new item once the vault is open. No more is wanted of it, and nothing is stored.
    let item = Item(ItemName(service: "signet", account: "open"))
    var dialogue = try Dialogue(VaultRequest.add(user: "", item, length: 1), at: socket)
    guard try dialogue.next() == .askValue else { throw .unexpectedReply }
  }
}
