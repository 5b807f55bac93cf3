import Foundation
import Glibc
import SignetClient
import SignetConfiguration
import SignetTestKit
import SignetVocabulary
import SignetWords
import Testing

@testable import SignetCommandLine

@Suite struct PresentationTests {
  @Test(arguments: [
    (0, 5, "[--------------------] 0 of 5"), (1, 5, "[####----------------] 1 of 5"), (5, 5, "[####################] 5 of 5"),
    (1, 0, "[--------------------] 1 of 0"), (7, 5, "[####################] 7 of 5"),
    (255, 255, "[####################] 255 of 255"),
  ])
  func `the bar keeps its length whatever the reader counts`(completed: Int, all: Int, bar: String) {
    #expect(ProgressLine.stages(completed: completed, of: all) == bar)
  }

  @Test func `advice stands below where both do not fit, in as many rows as it takes`() {
    func rows(_ columns: Int) -> [String] { ProgressLine.rows("[##--] 1 of 2", "Lift the finger", columns: columns) }
    #expect(rows(31) == ["[##--] 1 of 2  Lift the finger"])
    #expect(rows(30) == ["[##--] 1 of 2", "Lift the finger"])
    #expect(rows(15) == ["[##--] 1 of 2", "Lift the", "finger"])
    #expect(ProgressLine.rows("Touch the reader", "", columns: 12) == ["Touch the", "reader"])
    // What has no blanks wraps.
    #expect(ProgressLine.rows("0123456789", "", columns: 4) == ["0123456789"])
  }

  @Test func `what was shown is cleared as the terminal has broken it meanwhile`() {
    #expect(ProgressLine.clear([], columns: 80) == "\r\u{1B}[J")
    #expect(ProgressLine.clear(["one", "two"], columns: 80) == "\r\u{1B}[1A\u{1B}[J")
    #expect(ProgressLine.clear(["0123456789", "two"], columns: 5) == "\r\u{1B}[2A\u{1B}[J")
    #expect(ProgressLine.clear(["0123456789", "two"], columns: 4) == "\r\u{1B}[3A\u{1B}[J")
  }

  @Test func `control and direction characters are not printable, letters of any script are`() {
    #expect(
      Printable.text("a\u{0}b\u{1B}c\u{7F}d\u{85}e\u{202E}f\u{2066}g\n")
        == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}g\u{FFFD}")
    #expect(Printable.text("Zoë 指紋 👆") == "Zoë 指紋 👆")
  }

  @Test(arguments: ForeignTextVector.all) func `foreign text reaches neither the terminal nor JSON but harmless`(
    vector: ForeignTextVector
  ) throws {
    #expect(vector.expects(Printable.text(vector.text)))
    #expect(Report.lines(["A"], [[vector.text]]).count == 2 && vector.expects(Report.lines(["A"], [[vector.text]])[1]))
    #expect(vector.expects(CommandFailure(.unknownUser(vector.text)).message))
    #expect(vector.expects(CommandFailure(.refused, ObstacleText.noItem(ItemName(service: vector.text, account: ""))).message))
    let detail = PromptWords.of(.readerBusy, value: 0, detail: Array(vector.text.utf8).span)
    #expect(vector.isHarmless ? vector.expects(detail) : detail == "The fingerprint reader is in use")
    let lines = Array(vector.text.utf8)
    // A value of several lines may be shown.
    if !vector.text.contains(where: { $0 == "\n" || $0 == "\t" }) {
      #expect(SecretOutput.isShowable(lines.span) == vector.isHarmless)
    }
    let json = try Report.text(of: [vector.text])
    #expect(!json.unicodeScalars.contains { $0 != "\n" && vector.harmful.contains($0) })
    #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [vector.text])
  }

  @Test func `columns are as wide as their widest cell`() {
    #expect(Report.lines(["A", "B"], [["long", "x"], ["y", "z"]]) == ["A     B", "long  x", "y     z"])
  }

  @Test func `a table that is wider than the terminal is broken within its columns, the widest ones first`() {
    let rows = [["2026-11-21", "Finger not recognised: 2 strikes", "sudo: /usr/bin/sudo (pid 4711)"], ["-", "short", "-"]]
    #expect(
      Report.lines(["WHEN", "WHAT", "WHO ASKED"], rows, columns: 50) == [
        "WHEN        WHAT                WHO ASKED",
        "2026-11-21  Finger not          sudo:",
        "            recognised: 2       /usr/bin/sudo (pid",
        "            strikes             4711)",
        "-           short               -",
      ])
    for columns in [28, 40, 60, 80] {
      let lines = Report.lines(["WHEN", "WHAT", "WHO ASKED"], rows, columns: columns)
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    }
    #expect(FittedText.cell("/a/path/without/a/blank", columns: 10) == ["/a/path/wi", "thout/a/bl", "ank"])
  }

  @Test func `where that would break words, each row stands below itself`() {
    let rows = [["right-index-finger", "2026-11-21 06:00"], ["left-thumb", ""]]
    let below = ["FINGER    right-index-finger", "ENROLLED  2026-11-21 06:00", "", "FINGER    left-thumb"]
    #expect(Report.lines(["FINGER", "ENROLLED"], rows, columns: 28) == below)
    #expect(Report.lines(["FINGER", "ENROLLED"], rows, columns: 30)[1].hasSuffix("  2026-11-21"))
  }

  @Test(arguments: [20, 40, 60, 80]) func `a configuration stays one where its comments take several rows`(columns: Int) throws {
    let lines = try ConfigurationWords.lines(ConfigurationFile(parsing: [], path: "signet.conf"))
    let rows = lines.flatMap { Report.configuration($0, columns: columns) }
    #expect(rows.count > lines.count && rows.allSatisfy { $0.contains(" = ") || $0.columns <= columns })
    let again = try ConfigurationFile(parsing: Array(rows.joined(separator: "\n").utf8), path: "signet.conf")
    #expect(again.settings.filter { $0.line != nil }.count == lines.filter { !$0.hasPrefix("#") }.count)
    #expect(again.settings.map(\.value) == (try ConfigurationFile(parsing: [], path: "").settings.map(\.value)))
  }

  @Test(arguments: [
    ClientError.noHelper(ENOENT), .untrustedHelper(1000), .closed(0), .closed(ECONNRESET), .silent, .malformed,
  ])
  func `every failure of the connection names what to do`(error: ClientError) {
    let failure = CommandFailure(error, socket: "/run/signet/socket")
    #expect(failure.status == .noHelper)
    #expect(failure.message.count > 30)
  }

  @Test(arguments: [(EKEYREVOKED, "revoked"), (EKEYEXPIRED, "expired"), (ENOKEY, "holds no token"), (EPERM, "permitted")])
  func `every failure of the keyring has its words`(error: Int32, words: String) {
    #expect(TokenKeyring.failure(error).message.contains(words))
  }

  @Test func `moments are shown in UTC for programs`() {
    #expect(TimeText.utc(0) == "1970-01-01T00:00:00Z")
    #expect(!TimeText.utc(.max).isEmpty)
  }

  @Test func `the fingers are offered in the order of use, each once`() {
    #expect(Set(EnrollCommand.usual) == Set(Finger.allCases))
    #expect(EnrollCommand.usual.first == .rightIndexFinger)
  }
}
