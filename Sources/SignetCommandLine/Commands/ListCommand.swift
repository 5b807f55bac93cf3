import ArgumentParser
import SignetWire

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the enrolled fingers.")

  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let listing = try Listing<FingerRow>.fingers(of: user.user, at: helper.socket)
    try show(listing.rows, isWhole: listing.failure == nil)
    if let failure = listing.failure { throw failure }
  }

  private func show(_ rows: [FingerRow], isWhole: Bool) throws {
    if rows.isEmpty, !isWhole { return }
    if output.json { return try Report.json(rows.map(FingerRecord.init)) }
    if rows.isEmpty { return Report.complain("No finger is enrolled. Enroll one with: signet enroll") }
    Report.table(["FINGER", "READER", "ENROLLED"], rows.map { [$0.finger.name, $0.reader, Moment.local($0.enrolled)] })
  }
}
