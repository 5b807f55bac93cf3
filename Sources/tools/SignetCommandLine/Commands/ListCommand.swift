import ArgumentParser
import SignetLanguage
import SignetWire
import SignetWords

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: say("List the enrolled fingers."))

  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let listing = try Listing<FingerRow>.fingers(of: user.user, at: helper.socket)
    try show(listing.rows, isWhole: listing.failure == nil)
    if !output.json { ComparedAlone.tell(listing.rows, at: helper.socket) }
    if let failure = listing.failure { throw failure }
  }

  private func show(_ rows: [FingerRow], isWhole: Bool) throws {
    if rows.isEmpty, !isWhole { return }
    if output.json { return try Report.json(rows.map(FingerRecord.init)) }
    if rows.isEmpty { return Report.complain(DoneText.noFingers) }
    Report.table(
      // Translators: headings of a table.
      [say("FINGER"), say("READER"), say("ENROLLED")],
      rows.map { [FingerText.listed($0.finger), $0.reader, TimeText.local($0.enrolled)] })
  }
}
