import SignetTestKit
import SignetWire
import Testing

/// Commands that print what signetd knows.
@Suite struct ListingTests {
  static let finger = FingerRow(finger: .rightIndexFinger, reader: "virtual_device:0", enrolled: 1_795_240_800)
  static let reader = ReaderDescription(
    identifier: "synaptics:0", name: "Synaptics \"Prometheus\"", driver: "synaptics", isSwipe: false, canIdentify: true,
    hasStorage: true, enrollStages: 8)
  private static let session = SessionRow(
    identifier: "0123abcd", user: "alice", uid: 1000, service: "login", terminal: "tty1", method: .fingerprint,
    opened: 1_795_240_800)

  @Test func `list prints fingers in columns`() throws {
    let daemon = try ScriptedDaemon([.expect(.list), .reply(.finger(ListingTests.finger)), .done])
    let run = try Signet.run(["list", "--user", "alice"], with: daemon)
    #expect(run.status == 0)
    #expect(
      run.output == """
        FINGER              READER            ENROLLED
        right-index-finger  virtual_device:0  2026-11-21 06:00

        """)
    #expect(try request(daemon.finish()[0][0]) == .list(user: "alice"))
  }

  @Test func `list in JSON has a documented form`() throws {
    let daemon = try ScriptedDaemon([.expect(.list), .reply(.finger(ListingTests.finger)), .done])
    let run = try Signet.run(["list", "--json"], with: daemon)
    #expect(
      run.output == """
        [
          {
            "enrolled" : "2026-11-21T06:00:00Z",
            "finger" : "right-index-finger",
            "reader" : "virtual_device:0"
          }
        ]

        """)
    #expect(try request(daemon.finish()[0][0]) == .list(user: ""))
  }

  @Test func `nothing enrolled is an empty list, and a hint beside it`() throws {
    let run = try Signet.run(["list"], with: ScriptedDaemon([.expect(.list), .done]))
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("signet enroll"))
    let json = try Signet.run(["list", "--json"], with: ScriptedDaemon([.expect(.list), .done]))
    #expect(json.output.filter { !$0.isWhitespace } == "[]")
    #expect(json.errors.isEmpty)
  }

  @Test func `readers prints what a reader can do`() throws {
    let daemon = try ScriptedDaemon([.expect(.readers), .reply(.heartbeat), .reply(.reader(ListingTests.reader)), .done])
    let run = try Signet.run(["readers"], with: daemon)
    #expect(
      run.output == """
        READER       NAME                    SCAN   MATCHES        STAGES
        synaptics:0  Synaptics "Prometheus"  press  on the reader  8

        """)
  }

  @Test func `readers in JSON escapes names`() throws {
    let daemon = try ScriptedDaemon([.expect(.readers), .reply(.reader(ListingTests.reader)), .done])
    let run = try Signet.run(["readers", "--json"], with: daemon)
    #expect(run.output.contains(#""name" : "Synaptics \"Prometheus\"""#))
    for key in ["identifier", "driver", "scan", "canIdentify", "hasStorage", "enrollStages"] {
      #expect(run.output.contains("\"\(key)\""))
    }
  }

  @Test func `an escape sequence in a reader's name does not reach the terminal`() throws {
    var reader = ListingTests.reader
    reader.name = "\u{1B}]0;owned\u{07}\u{202E}\u{9B}31m"
    let daemon = try ScriptedDaemon([.expect(.readers), .reply(.reader(reader)), .done])
    let run = try Signet.run(["readers"], with: daemon)
    #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
    #expect(!run.output.contains("\u{202E}"))
  }

  @Test func `a damaged template does not hide the others, and is no success`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.list), .reply(.finger(ListingTests.finger)), .reply(.refused(.stateUnusable, explanation: "One is torn.")),
    ])
    let run = try Signet.run(["list"], with: daemon)
    #expect(run.status == 4)
    #expect(run.output.contains("right-index-finger"))
    #expect(run.errors == "signet: One is torn.\n")
  }

  @Test(arguments: [["sessions"], ["sessions", "list"]]) func `sessions are listed`(words: [String]) throws {
    let daemon = try ScriptedDaemon([.expect(.sessions), .reply(.session(ListingTests.session)), .done])
    let run = try Signet.run(words, with: daemon)
    #expect(
      run.output == """
        SESSION   USER   SERVICE  TERMINAL  BY   OPENED
        0123abcd  alice  login    tty1      fpt  2026-11-21 06:00

        """)
  }

  @Test func `sessions in JSON`() throws {
    let daemon = try ScriptedDaemon([.expect(.sessions), .reply(.session(ListingTests.session)), .done])
    let run = try Signet.run(["sessions", "--json"], with: daemon)
    #expect(run.output.contains(#""opened" : "2026-11-21T06:00:00Z""#))
    for key in ["identifier", "user", "uid", "service", "terminal", "method"] { #expect(run.output.contains("\"\(key)\"")) }
  }

  @Test func `revoking names the session in lower case, as signetd knows it`() throws {
    let daemon = try ScriptedDaemon([.expect(.revokeSession), .done])
    #expect(try Signet.run(["sessions", "revoke", "0123ABCD"], with: daemon).status == 0)
    #expect(try request(daemon.finish()[0][0]) == .revokeSession(identifier: "0123abcd"))
  }

  @Test func `reset names whom it cleared`() throws {
    let daemon = try ScriptedDaemon([.expect(.reset), .done])
    #expect(try Signet.run(["reset", "alice"], with: daemon).output.contains("alice"))
    #expect(try request(daemon.finish()[0][0]) == .reset(user: "alice"))
  }
}
