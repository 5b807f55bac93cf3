import ArgumentParser
import SignetLanguage
import SignetSessionTokens
import SignetWire
import SignetWords

struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: say("List the sessions that hold a token, or revoke one."),
    subcommands: [ListSessionsCommand.self, RevokeSessionCommand.self], defaultSubcommand: ListSessionsCommand.self)

  @OptionGroup var helper: HelperOptions
}

struct ListSessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: say("List your sessions; root sees everybody's."))

  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let rows = try Listing<SessionRow>.sessions(at: helper.socket).whole()
    if output.json { return try Report.json(rows.map(SessionRecord.init)) }
    if rows.isEmpty { return Report.complain(DoneText.noSessions) }
    Report.table(
      // Translators: headings of a table. BY: finger or passcode, with which the session was opened.
      [say("SESSION"), say("USER"), say("SERVICE"), say("TERMINAL"), say("BY"), say("OPENED")],
      rows.map { [$0.identifier, $0.user, $0.service, $0.terminal, $0.method.name, TimeText.local($0.opened)] })
  }
}

struct RevokeSessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: say("Revoke a session's token at once: your own, or anybody's as root."))

  @Argument(help: ArgumentHelp(say("The session's identifier from `signet sessions`.")), completion: Completions.sessions)
  var identifier: String?
  @Flag(name: .long, help: ArgumentHelp(say("Revoke all of yours but the one that this command runs in.")))
  var others = false
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard (identifier == nil) == others else { throw ValidationError(say("Name a session, or say --others.")) }
    guard let identifier else { return }
    let isHexadecimal = identifier.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard identifier.utf8.count == 8, isHexadecimal else {
      throw ValidationError(say("A session's identifier has 8 hexadecimal digits; `signet sessions` shows them."))
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
