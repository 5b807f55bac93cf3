import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWords

struct ReadersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "readers", abstract: say("List the fingerprint readers."))

  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let rows = try Listing<ReaderDescription>.readers(at: helper.socket).whole()
    if output.json { return try Report.json(rows.map(ReaderRecord.init)) }
    if rows.isEmpty { return Report.complain(DoneText.noReaders) }
    Report.table(
      // Translators: headings of a table. How a finger is scanned, who compares it, and how many touches enroll it.
      [say("READER"), say("NAME"), say("SCAN"), say("MATCHES"), say("STAGES")],
      rows.map { row in
        // Translators: how a finger is put on the reader.
        let scan = row.isSwipe ? say("swipe") : say("press")
        let place = row.hasStorage ? say("on the reader") : say("in signet-reader")
        // Translators: where a reader compares fingers, and that it does not say when a finger is there.
        let told = row.tellsFinger ? place : say("\(place), tells of no finger")
        // Translators: where a reader compares fingers, and that it compares with one and not with all that are enrolled.
        let matches = row.canIdentify ? told : say("\(told), one finger at a time")
        return [row.identifier, row.name, scan, matches, "\(row.enrollStages)"]
      })
  }
}
