import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: say("Show what happened to the fingers and the passcode, newest last."))

  @Option(name: [.customShort("n"), .long], help: ArgumentHelp(say("How many events at most, 1 to 65535."), valueName: "number"))
  var lines: UInt16 = 50
  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard lines >= 1 else { throw ValidationError(say("--lines: 1 to 65535 events.")) }
  }

  func run() throws {
    let listing = try Listing<EventRow>.history(of: user.user, limit: lines, at: helper.socket)
    try show(listing.rows, isWhole: listing.failure == nil)
    if let failure = listing.failure { throw failure }
  }

  private func show(_ rows: [EventRow], isWhole: Bool) throws {
    if rows.isEmpty, !isWhole { return }
    if output.json { return try Report.json(rows.map(EventRecord.init)) }
    if rows.isEmpty { return Report.complain(DoneText.noEvents) }
    let passkeys = passkeyNames(in: rows)
    Report.table(
      // Translators: headings of a table.
      [say("WHEN"), say("WHAT"), say("WHO ASKED")],
      rows.map { row in
        [
          row.time == 0 ? "-" : TimeText.localSeconds(row.time),
          EventWords.sentence(row.event, uid: row.requester.uid, passkeys: passkeys),
          EventWords.requester(HistoryCommand.named(row.requester)),
        ]
      })
  }

  /// What the passkeys are called that the rows are about and that are still there: their sites, in the words of who made them.
  private func passkeyNames(in rows: [EventRow]) -> [PasskeyName: String] {
    let kinds: Set<Event.Kind> = [.passkeyMade, .passkeyUsed, .passkeyDeleted]
    guard rows.contains(where: { kinds.contains($0.event.kind) }) else { return [:] }
    let named = ((try? OwnPasskeys.all(of: user.user, at: helper.socket)) ?? []).compactMap { passkey in
      PasskeyName(passkey.row.item.name).map { ($0, passkey.name) }
    }
    return Dictionary(named) { first, _ in first }
  }

  /// With its program as it is shown.
  private static func named(_ requester: EventRequester) -> EventRequester {
    var named = requester
    named.program = CommandPath.shown(requester.program)
    return named
  }
}
