import ArgumentParser

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the enrolled fingers.")

  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let rows = try Listing.fingers(of: user.user, at: helper.socket)
    if output.json { return try Report.json(rows.map(FingerRecord.init)) }
    if rows.isEmpty { return Report.complain("No finger is enrolled. Enroll one with: signet enroll") }
    Report.table(["FINGER", "READER", "ENROLLED"], rows.map { [$0.finger.name, $0.reader, Moment.local($0.enrolled)] })
  }
}
