import ArgumentParser
import SignetVocabulary
import SignetWords

struct ReadersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "readers", abstract: "List the fingerprint readers.")

  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let rows = try Listing<ReaderDescription>.readers(at: helper.socket).whole()
    if output.json { return try Report.json(rows.map(ReaderRecord.init)) }
    if rows.isEmpty { return Report.complain(DoneText.noReaders) }
    Report.table(
      ["READER", "NAME", "SCAN", "MATCHES", "STAGES"],
      rows.map { row in
        let scan = row.isSwipe ? "swipe" : "press"
        return [row.identifier, row.name, scan, row.hasStorage ? "on the reader" : "in signet-reader", "\(row.enrollStages)"]
      })
  }
}
