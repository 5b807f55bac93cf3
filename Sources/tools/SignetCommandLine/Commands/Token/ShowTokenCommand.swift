import ArgumentParser
import SignetAgentProtocol
import SignetLanguage
import SignetMemory

struct ShowTokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: say("Print the token of this session."),
    discussion: say("The token is a secret: whoever has it can act as this session. It does not go through signetd."))

  @Option(
    name: .long, help: ArgumentHelp(say("Print an access token of this identity provider instead."), valueName: "issuer"),
    completion: Completions.issuers)
  var issuer: String?
  @Option(name: .long, help: ArgumentHelp(say("Which account there, where several are bound."), valueName: "name"))
  var account = ""
  @Flag(
    name: .customLong("id"),
    help: ArgumentHelp(say("Print the ID token, for services that want to know from the provider who asks.")))
  var isID = false
  @Flag(name: .long, help: ArgumentHelp(say("Print it as an HTTP header.")))
  var header = false
  @OptionGroup var agent: AgentOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard issuer != nil || account.isEmpty && !header && !isID else {
      throw ValidationError(say("--account, --id and --header go with --issuer."))
    }
    guard !header || !output.json else { throw ValidationError(say("A header is no JSON: say --header or --json.")) }
  }

  func run() throws {
    if let issuer { return try show(issuer) }
    var token = try orExhausted(SecretBytes(capacity: 256))
    try TokenKeyring.read(into: &token)
    var line = try SecretLine(capacity: 4096)
    if output.json { try line.add("{\"token\": \"") }
    try line.add(token.span)
    try line.add(output.json ? "\"}\n" : "\n")
    try line.write()
  }

  private func show(_ issuer: String) throws {
    let dialogue = try AgentDialogue(
      AgentRequest(
        .token, session: try AgentDialogue.session(), issuer: issuer, account: account, tokenKind: isID ? .id : .access), agent)
    guard case .token(let token) = try dialogue.next() else { throw CommandFailure.unexpectedReply }
    if output.json { return try Report.json(ProviderTokenRecord(token, isID: isID)) }
    var line = try SecretLine(capacity: 32_768)
    if header { try line.add("Authorization: Bearer ") }
    try line.add(token.text + "\n")
    try line.write()
  }
}

/// A token of a provider, for `--json`.
private struct ProviderTokenRecord: Encodable {
  let accessToken: String?
  let idToken: String?
  let expires: String?

  init(_ token: AgentToken, isID: Bool) {
    accessToken = isID ? nil : token.text
    idToken = isID ? token.text : nil
    expires = token.expiration.map { TimeText.utc(UInt64(max(0, $0))) }
  }
}
