import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetCommandLine

/// Commands that print what signetd knows.
@Suite struct ListingTests {
  static let finger = FingerRow(finger: .rightIndexFinger, reader: "synaptics:0", enrolled: 1_795_240_800)
  static let reader = ReaderDescription(
    identifier: "synaptics:0", name: "Synaptics \"Prometheus\"", driver: "synaptics", isSwipe: false, canIdentify: true,
    hasStorage: true, enrollStages: 8)
  private static let session = SessionRow(
    identifier: "0123abcd", user: "alice", uid: 1000, service: "login", terminal: "tty1", method: .fingerprint,
    opened: 1_795_240_800, used: 1_795_240_860, expires: 1_795_327_200)

  @Test func `list prints fingers in columns`() throws {
    let daemon = try ScriptedDaemon([.expect(.list), .reply(.finger(ListingTests.finger)), .done])
    let run = try Signet.run(["list", "--user", "alice"], with: daemon)
    #expect(run.status == 0)
    #expect(
      run.output == """
        FINGER              READER       ENROLLED
        right-index-finger  synaptics:0  2026-11-21 06:00

        """)
    #expect(try request(daemon.finish()[0][0]) == .list(user: "alice"))
  }

  @Test(
    arguments: [
      (60, ["FINGER              READER       ENROLLED", "right-index-finger  synaptics:0  2026-11-21 06:00"]),
      (45, ["FINGER              READER       ENROLLED", "right-index-finger  synaptics:0  2026-11-21", "06:00".padded(33)]),
    ])
  func `on a terminal a table fits`(columns: Int, rows: [String]) throws {
    let daemon = try ScriptedDaemon([.expect(.list), .reply(.finger(ListingTests.finger)), .done])
    let words = ["env", "TZ=UTC", try Signet.path(), "list", "--socket", daemon.path]
    try SeenScreen(words, columns: columns).awaitRows(rows)
    try daemon.finish()
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
            "reader" : "synaptics:0"
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

  @Test func `readers says which of them tells of no finger`() throws {
    var reader = ListingTests.reader
    reader.driver = "elanmoc"
    let run = try Signet.run(["readers"], with: ScriptedDaemon([.expect(.readers), .reply(.reader(reader)), .done]))
    #expect(run.output.contains("press  on the reader, tells of no finger  8\n"))
  }

  @Test func `readers in JSON escapes names`() throws {
    let daemon = try ScriptedDaemon([.expect(.readers), .reply(.reader(ListingTests.reader)), .done])
    let run = try Signet.run(["readers", "--json"], with: daemon)
    #expect(run.output.contains(#""name" : "Synaptics \"Prometheus\"""#))
    for key in ["identifier", "driver", "scan", "canIdentify", "hasStorage", "tellsFinger", "enrollStages"] {
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
      .expect(.list), .reply(.finger(ListingTests.finger)), .reply(.refused(.stateUnusable(.templateTorn("/one.template")))),
    ])
    let run = try Signet.run(["list"], with: daemon)
    #expect(run.status == 4)
    #expect(run.output.contains("right-index-finger"))
    #expect(
      run.errors == "signet: /one.template: it is torn, was altered or is another user's; delete and enroll the finger again\n")
  }

  private static func event(_ event: Event) -> EventRow {
    EventRow(
      time: 1_795_240_800, event: event,
      requester: EventRequester(
        pid: 4711, uid: 0, loginUser: 1000, session: 7, program: "/usr/bin/sudo", service: "sudo", terminal: "pts/0"))
  }

  @Test func `history says what happened and who asked`() throws {
    var own = ListingTests.event(.missed(strikes: 2))
    own.requester = EventRequester(pid: 12, uid: 1000, program: "/home/alice/sudo")
    let rows = [
      ListingTests.event(.authenticated(.fingerprint, .leftThumb)), own,
      EventRow(time: 0, event: .gap(12, .bytes), requester: EventRequester()),
    ]
    let daemon = try ScriptedDaemon([.expect(.history)] + rows.map { .reply(.event($0)) } + [.done])
    let run = try Signet.run(["history", "--user", "alice", "-n", "3"], with: daemon)
    #expect(run.status == 0)
    #expect(
      run.output == """
        WHEN                 WHAT                                   WHO ASKED
        2026-11-21 06:00:00  Authenticated by finger, left-thumb    sudo on pts/0: sudo (pid 4711, uid 0, started by uid 1000)
        2026-11-21 06:00:00  Finger not recognised: 2 strikes       /home/alice/sudo (pid 12, uid 1000)
        -                    (12 bytes of the history are missing)  -

        """)
    #expect(try request(daemon.finish()[0][0]) == .history(user: "alice", limit: 3))
  }

  @Test func `a history that is longer than the terminal is shown a screen at a time`() throws {
    let rows = (1...30).map { ListingTests.event(.missed(strikes: $0)) }
    let daemon = try ScriptedDaemon([.expect(.history)] + rows.map { .reply(.event($0)) } + [.done])
    let line = "stty rows 12 cols 120; exec \(try Signet.path()) history --socket \(daemon.path)"
    let terminal = try PseudoTerminal(["/bin/sh", "-c", line], environment: ["PATH=/usr/bin:/bin", "TZ=UTC", "TERM=xterm"])
    try terminal.read(until: ": 10 strikes")
    #expect(!terminal.screen.contains(": 11 strikes"))
    terminal.type(" ")
    try terminal.read(until: ": 11 strikes")
    terminal.type("q")
    #expect(try terminal.waitForExit() == 0)
    #expect(!terminal.screen.contains(": 30 strikes"))
    try daemon.finish()
  }

  @Test func `the pager is the user's choice, but not with another user's rights`() {
    func command(_ environment: [String: String], isPrivileged: Bool = false) -> String? {
      Pager.command(isPrivileged: isPrivileged) { environment[$0] }
    }
    #expect(command([:]) == Pager.less)
    #expect(command(["PAGER": "most -w"]) == "most -w")
    for none in ["", "cat"] { #expect(command(["PAGER": none]) == nil) }
    for other in ["/tmp/mine", "", "cat"] { #expect(command(["PAGER": other], isPrivileged: true) == Pager.less) }
  }

  @Test func `history in JSON has a documented form`() throws {
    let daemon = try ScriptedDaemon([.expect(.history), .reply(.event(ListingTests.event(.locked(.strikes)))), .done])
    let run = try Signet.run(["history", "--json"], with: daemon)
    #expect(
      run.output == """
        [
          {
            "event" : "locked",
            "lock" : "strikes",
            "requester" : {
              "auditSession" : 7,
              "loginUid" : 1000,
              "pid" : 4711,
              "program" : "/usr/bin/sudo",
              "service" : "sudo",
              "terminal" : "pts/0",
              "uid" : 0
            },
            "time" : "2026-11-21T06:00:00Z"
          }
        ]

        """)
    #expect(try request(daemon.finish()[0][0]) == .history(user: "", limit: 50))
  }

  @Test(arguments: Event.samples) func `every event has words, whoever asked`(event: Event) throws {
    var strange = ListingTests.event(event)
    strange.requester.program = "\u{1B}[2J\u{202E}"
    strange.requester.service = "\u{1B}[2J\u{202E}"
    for words in [[], ["--json"]] {
      let rows = [strange, ListingTests.event(event)]
      let daemon = try ScriptedDaemon([.expect(.history)] + rows.map { .reply(.event($0)) } + [.done])
      let run = try Signet.run(["history"] + words, with: daemon)
      #expect(run.status == 0)
      #expect(!run.output.isEmpty && run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
      #expect(!words.isEmpty || !run.output.contains("\u{202E}"))
    }
  }

  @Test func `a damaged history shows the rest, and is no success`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.history), .reply(.event(ListingTests.event(.reset))),
      .reply(.refused(.stateUnusable(.templateTorn("/one.template")))),
    ])
    let run = try Signet.run(["history"], with: daemon)
    #expect(run.status == 4)
    #expect(run.output.contains("Strikes and lock cleared by root"))
    #expect(
      run.errors == "signet: /one.template: it is torn, was altered or is another user's; delete and enroll the finger again\n")
  }

  @Test func `nothing yet is an empty history, and no lines is no request`() throws {
    let run = try Signet.run(["history"], with: ScriptedDaemon([.expect(.history), .done]))
    #expect(run.status == 0 && run.output.isEmpty && run.errors == "Nothing has happened yet.\n")
    for lines in ["0", "65536", "-1"] { #expect(try Signet.run(["history", "--lines", lines]).status == 2) }
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

extension String {
  /// Behind so many blanks.
  fileprivate func padded(_ blanks: Int) -> String { String(repeating: " ", count: blanks) + self }
}
