import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: say("Take over fingers that were enrolled with another program."),
    discussion: say(
      """
      Each finger that can be taken over is enrolled without a scan, and each that cannot is named, with the reason. What the \
      other program has stays as it is. Asks for the passcode first, unless root runs it.
      """))

  @Argument(help: ArgumentHelp(say("Which program: fprintd.")))
  var source: ImportSource
  @OptionGroup var loss: LossOptions
  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions
  @OptionGroup var logins: LoginStackOptions

  func run() throws {
    var listing = Listing<ImportRow>()
    try BoundItems(of: user.user, at: helper.socket).change(loss) {
      listing = try Listing<ImportRow>.importing(of: user.user, at: helper.socket) { row in
        if !output.json { ImportCommand.show(row) }
      }
    }
    if output.json { try Report.json(listing.rows.map(ImportRecord.init)) }
    if let failure = listing.failure { throw failure }
    if listing.rows.isEmpty, !output.json { Report.complain(ImportText.nothing(user.user)) }
    if !listing.rows.isEmpty, !output.json { ComparedAlone.tell(of: user.user, at: helper.socket) }
    if !listing.rows.isEmpty, !output.json, let notice = logins.notice(at: helper.socket) { Report.complain(notice) }
    guard listing.rows.allSatisfy({ $0.outcome.isInSignet }) else { throw CommandFailure(.refused, ImportText.someLeft) }
  }

  private static func show(_ row: ImportRow) {
    let words = ImportText.of(row.outcome, row.finger, reader: row.reader)
    if row.outcome == .taken { Report.say(words) } else { Report.complain(words) }
  }
}

/// Whose fingers can be taken over.
enum ImportSource: String, CaseIterable, ExpressibleByArgument {
  case fprintd
}

extension ImportOutcome {
  /// Whether the finger can be used now, by this or by what was enrolled before.
  fileprivate var isInSignet: Bool { self == .taken || self == .enrolledAlready }
}
