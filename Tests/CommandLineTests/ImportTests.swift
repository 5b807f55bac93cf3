import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What `signet import fprintd` shows, and how it ends.
@Suite struct ImportTests {
  private static func row(_ finger: Finger?, _ outcome: ImportOutcome) -> ScriptedDaemon.Step {
    .reply(.imported(ImportRow(finger: finger, reader: "synaptics:0", outcome: outcome)))
  }

  @Test func `each finger that was taken is shown, and the end is success`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(.importFprintd), Self.row(.rightIndexFinger, .taken), Self.row(.leftThumb, .enrolledAlready), .done,
      ])
    let run = try Signet.run(["import", "fprintd", "--user", "alice"], with: daemon)
    #expect(run.status == 0)
    #expect(run.output == "Took over right-index-finger on synaptics:0.\n")
    #expect(run.errors == "left-thumb on synaptics:0 is enrolled already, and stays as it is.\n")
    #expect(try request(daemon.finish()[1][0]) == .importFprintd(user: "alice"))
  }

  @Test(
    arguments: [
      (.readerMissing, "its reader is not there. Connect it, then run this again."),
      (.otherUser("bob"), "the print was made for the user bob. Enroll it with: signet enroll left-thumb"),
      (.otherUser(""), "the print names no user. Enroll it with: signet enroll left-thumb"),
      (.misplaced, "the print in its file is of another finger or reader. Enroll it with: signet enroll left-thumb"),
      (.unusable("no print"), "no print. Enroll it with: signet enroll left-thumb"),
      (
        .unreadable(.foreignOwner("/f", uid: 7)),
        "/f cannot be trusted: it belongs to uid 7. Enroll it with: signet enroll left-thumb"
      ),
    ] as [(ImportOutcome, String)])
  func `each that was not is named with why and what to do, and the end is no success`(
    outcome: ImportOutcome, words: String
  ) throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(.importFprintd), Self.row(.rightThumb, .taken), Self.row(.leftThumb, outcome), .done,
      ])
    let run = try Signet.run(["import", "fprintd"], with: daemon)
    #expect(run.status == 1)
    #expect(run.output == "Took over right-thumb on synaptics:0.\n")
    #expect(
      run.errors == """
        left-thumb on synaptics:0 was not taken over: \(words)
        signet: not every finger was taken over. What fprintd has of them is as it was.

        """)
  }

  @Test func `a folder that is not read is named`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault, [.expect(.importFprintd), Self.row(nil, .unreadable(.writableByOthers("/d"))), .done])
    let run = try Signet.run(["import", "fprintd"], with: daemon)
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix(
        "What fprintd has for synaptics:0 was not taken over: /d cannot be trusted: it is writable by others.\n"))
  }

  @Test func `where fprintd has nothing it says so, and has done all there was`() throws {
    let run = try Signet.run(["import", "fprintd"], with: ScriptedDaemon(emptyVault, [.expect(.importFprintd), .done]))
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(run.errors == "fprintd has no fingers of yours. Enroll one with: signet enroll\n")
    let json = try Signet.run(
      ["import", "fprintd", "--json"], with: ScriptedDaemon(emptyVault, [.expect(.importFprintd), .done]))
    #expect(json.output.filter { !$0.isWhitespace } == "[]" && json.errors.isEmpty)
  }

  @Test func `in JSON it has a documented form`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(.importFprintd), Self.row(.rightThumb, .taken), Self.row(nil, .unreadable(.notDirectory("/d"))), .done,
      ])
    let run = try Signet.run(["import", "fprintd", "--json"], with: daemon)
    #expect(run.status == 1)
    #expect(
      run.output == """
        [
          {
            "explanation" : "Took over right-thumb on synaptics:0.",
            "finger" : "right-thumb",
            "outcome" : "taken",
            "reader" : "synaptics:0"
          },
          {
            "explanation" : "What fprintd has for synaptics:0 was not taken over: /d cannot be used: it is no directory.",
            "outcome" : "unreadable",
            "reader" : "synaptics:0"
          }
        ]

        """)
  }

  @Test func `what was taken before a refusal is shown`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(.importFprintd), Self.row(.rightThumb, .taken), .reply(.refused(.readerEnded)),
      ])
    let run = try Signet.run(["import", "fprintd"], with: daemon)
    #expect(run.status == 5)
    #expect(run.output == "Took over right-thumb on synaptics:0.\n")
    #expect(run.errors.contains("signet-reader ended"))
  }

  @Test func `a hostile name in a print does not reach the terminal as a command`() throws {
    for words in [[], ["--json"]] {
      let daemon = try ScriptedDaemon(
        emptyVault,
        [
          .expect(.importFprintd), Self.row(.rightThumb, .otherUser("\u{1B}[2J\u{202E}\n")), .done,
        ])
      let run = try Signet.run(["import", "fprintd"] + words, with: daemon)
      for text in [run.output, run.errors] {
        #expect(text.unicodeScalars.allSatisfy { ($0 == "\n" || $0.value >= 0x20) && $0 != "\u{202E}" && $0 != "\u{1B}" })
      }
    }
  }

  @Test func `without a terminal no passcode is asked and nothing changes`() throws {
    let daemon = try ScriptedDaemon(emptyVault, [.expect(.importFprintd), .reply(.askPasscode(.administration)), .silence])
    let run = try Signet.run(["import", "fprintd"], with: daemon)
    #expect(run.status == 1)
    #expect(run.errors.contains("there is no terminal to ask it on"))
    #expect(try daemon.finish()[1].count == 1)
  }
}
