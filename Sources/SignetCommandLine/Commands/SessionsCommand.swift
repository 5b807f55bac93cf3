import ArgumentParser
import SignetSessionTokens
import SignetWire
import SignetWords

struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "List the sessions that hold a token, or revoke one.",
    subcommands: [ListSessionsCommand.self, RevokeSessionCommand.self], defaultSubcommand: ListSessionsCommand.self)

  @OptionGroup var helper: HelperOptions
}

struct ListSessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List your sessions; root sees everybody's.")

  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let rows = try Listing<SessionRow>.sessions(at: helper.socket).whole()
    if output.json { return try Report.json(rows.map(SessionRecord.init)) }
    if rows.isEmpty { return Report.complain(DoneText.noSessions) }
    Report.table(
      ["SESSION", "USER", "SERVICE", "TERMINAL", "BY", "OPENED"],
      rows.map { [$0.identifier, $0.user, $0.service, $0.terminal, $0.method.name, TimeText.local($0.opened)] })
  }
}

struct RevokeSessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a session's token at once: your own, or anybody's as root.")

  @Argument(help: "The session's identifier from `signet sessions`.", completion: Completions.sessions)
  var identifier: String?
  @Flag(name: .long, help: "Revoke all of yours but the one that this command runs in.")
  var others = false
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard (identifier == nil) == others else { throw ValidationError("Name a session, or say --others.") }
    guard let identifier else { return }
    let isHexadecimal = identifier.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard identifier.utf8.count == 8, isHexadecimal else {
      throw ValidationError("A session's identifier has 8 hexadecimal digits; `signet sessions` shows them.")
    }
  }

  func run() throws {
    guard let identifier else { return try revokeOthers() }
    try Dialogue.follow(AdministrationRequest.revokeSession(identifier: identifier.lowercased()), at: helper.socket)
    Report.say(DoneText.revoked(identifier))
  }

  private func revokeOthers() throws {
    try SessionTokens(socket: helper.socket).withSession { client, token throws(SessionTokenError) in
      try client.revokeOthers(than: token)
    }
    Report.say(DoneText.othersRevoked)
  }
}
