import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// `signet selftest`: a person on a terminal, or a program in their place, with a virtual reader.
@Suite struct SelftestTests {
  private let scene: SignetScene
  private var output: String { scene.daemon.folder + "/report" }

  init() throws { scene = try SignetScene() }

  private func fingers() throws -> Int {
    let client = try scene.daemon.connect()
    try client.send(.list(user: ""))
    var count = 0
    while case .finger = try client.nextAdministration() { count += 1 }
    return count
  }

  private func report() throws -> (text: String, results: [String: String], json: [String: Any]) {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: output + ".json"))) as? [String: Any])
    let results = try #require(json["results"] as? [[String: Any]])
    let pairs = results.map { ($0["scenario"] as? String ?? "", $0["outcome"] as? String ?? "") }
    return (try RawFile.text(output + ".md"), Dictionary(uniqueKeysWithValues: pairs), json)
  }

  /// A person who reads the screen and has these two fingers.
  private func touch(_ terminal: PseudoTerminal, _ finger: String) throws {
    try terminal.read(until: "Touch the reader with")
    try terminal.read(until: "and lift it.")
    try scene.reader.scan(finger)
  }

  private func begin(_ steps: String...) throws -> PseudoTerminal {
    let terminal = try scene.start(["selftest", "--output", output] + steps.flatMap { ["--step", $0] })
    try terminal.read(until: "Begin? [y/N] ")
    return terminal
  }

  private func enter(_ terminal: PseudoTerminal, _ text: String = "") throws {
    try terminal.read(until: "leave it out: ")
    terminal.type(text + "\n")
  }

  private func enroll(_ terminal: PseudoTerminal) throws {
    try enter(terminal)
    try scene.answerPasscode(on: terminal)
    for _ in 1...5 { try touch(terminal, "right") }
    try terminal.read(until: "passed, ")
  }

  @Test func `a person is led through it, and the report has what was seen and nothing of theirs`() throws {
    let terminal = try begin("enroll", "match", "cancel", "misses", "freeze", "lockout")
    terminal.type("y\n")
    try enroll(terminal)
    try enter(terminal)
    try touch(terminal, "right")
    try terminal.read(until: "passed, ")
    try enter(terminal)
    try touch(terminal, "right")
    try terminal.read(until: "passed, ")
    // Nobody's hand can freeze a reader.
    try enter(terminal)
    try terminal.read(until: "left out: no hand can do this to a reader")
    try enter(terminal)
    for _ in 1...3 { try touch(terminal, "wrong") }
    try terminal.read(until: "Passcode: ")
    try terminal.wait { !$0.echoes }
    terminal.type(RunningDaemon.passcode + "\n")
    try terminal.read(until: "passed, ")
    try enter(terminal, "s")
    try terminal.read(until: "left out: the person left it out")
    try scene.answerPasscode(on: terminal)
    let end = try scene.end(terminal)
    #expect(end.status == 0, "\(end.screen)")
    #expect(!end.screen.contains(RunningDaemon.passcode))

    let report = try report()
    #expect(
      report.results == [
        "enroll": "passed", "match": "passed", "cancel": "passed", "freeze": "left out", "misses": "passed",
        "lockout": "left out",
      ])
    let all = try report.text + RawFile.text(output + ".json")
    for word in [scene.daemon.user, RunningDaemon.passcode, "right-index", scene.daemon.folder] {
      #expect(!all.contains(word), "\(word)")
    }
    for word in ["driver virtual_device, swipe", "- libfprint: ", "- kernel: ", "- Signet: "] {
      #expect(report.text.contains(word), "\(word)")
    }
    #expect(try fingers() == 0)
    #expect(scene.daemon.strikesOnDisk == 0)
  }

  @Test func `who does not say yes has nothing changed, and has read whole lines`() throws {
    let terminal = try begin("enroll")
    #expect(terminal.screen.contains(" steps, and takes about five minutes.\r\nIt enrolls one finger"), "\(terminal.screen)")
    #expect(!terminal.screen.contains("\u{FFFD}"), "\(terminal.screen)")
    terminal.type("\n")
    let end = try scene.end(terminal)
    #expect(end.status == 1)
    #expect(end.screen.contains("not begun. Nothing was changed."))
    #expect(try fingers() == 0)
    #expect(access(output + ".md", F_OK) != 0)
  }

  @Test func `Ctrl-C in the middle of a step leaves no finger, no strike and no report behind`() throws {
    let terminal = try begin("enroll", "match")
    terminal.type("y\n")
    try enroll(terminal)
    try enter(terminal)
    try terminal.read(until: "Touch the reader with")
    terminal.type("\u{3}")
    try scene.answerPasscode(on: terminal)
    let end = try scene.end(terminal)
    #expect(end.status == 130, "\(end.screen)")
    #expect(try fingers() == 0)
    try scene.daemon.awaitStrikes(0)
    #expect(access(output + ".md", F_OK) != 0)
  }

  @Test func `without a terminal it names the other way, and changes nothing`() throws {
    let run = try scene.signet(["selftest", "--output", output])
    #expect(run.status == 2)
    #expect(run.errors.contains("--hand"))
    #expect(try fingers() == 0)
  }

  @Test func `a step that there is not is refused with those that there are`() throws {
    let run = try scene.signet(["selftest", "--step", "juggle"])
    #expect(run.status == 2)
    #expect(run.errors.contains("enroll, match, "))
  }

  @Test func `a program plays the hand, and what it cannot do is left out for its reason`() throws {
    let hand = try program()
    let run = try scene.signet(["selftest", "--hand", hand, "--output", output])
    #expect(run.status == 0, "\(run.errors)")
    let report = try report()
    #expect(report.json["level"] as? Int == 3)
    var expected = Dictionary(
      uniqueKeysWithValues: ["enroll", "match", "poor-scan", "cancel", "misses", "lockout"].map { ($0, "passed") })
    for name in ["duplicate", "unplug", "replug", "freeze", "storage-full", "two-readers"] { expected[name] = "left out" }
    expected["suspend"] = geteuid() == 0 ? "passed" : "left out"
    #expect(report.results == expected, "\(report.text)")
    #expect(report.text.contains("this hand has no plug"))
    #expect(try fingers() == 0)
    #expect(scene.daemon.strikesOnDisk == 0)
  }

  @Test(arguments: ["exit 0", "while read line; do echo maybe; done", "while :; do printf x; done"])
  func `a program that is no hand fails the step, and leaves nothing behind`(script: String) throws {
    let path = scene.daemon.folder + "/hand"
    try writeScript("#!/bin/sh\n\(script)\n", to: path)
    let run = try scene.signet(["selftest", "--step", "match", "--hand", path, "--output", output])
    #expect(run.status == 1)
    #expect(try report().results == ["match": "failed"])
    #expect(try fingers() == 0)
  }

  @Test func `where an item is bound to the fingers none is enrolled, and the item stays`() throws {
    let terminal = try scene.start(["vault", "add", "web", "--access", "biometryCurrentSet"])
    // A vault is made by the passcode, also of root's.
    try terminal.read(until: "Secret: ")
    try terminal.wait { !$0.echoes }
    terminal.type("s3cret\n")
    try terminal.read(until: "again: ")
    try terminal.wait { !$0.echoes }
    terminal.type("s3cret\n")
    try terminal.read(until: "Passcode: ")
    try terminal.wait { !$0.echoes }
    terminal.type(RunningDaemon.passcode + "\n")
    let added = try scene.end(terminal)
    try #require(added.status == 0, "\(added.screen)")
    let run = try scene.signet(["selftest", "--step", "enroll", "--step", "match", "--hand", try program(), "--output", output])
    #expect(run.status == 0)
    #expect(try report().results == ["enroll": "left out", "match": "left out"])
    #expect(try report().text.contains("enrolling one for the test would destroy them"))
    #expect(try scene.signet(["vault", "list"]).output.contains("web"))
  }

  /// A hand in Python at the virtual reader: what a laboratory's would do at a real one.
  private func program() throws -> String {
    let path = scene.daemon.folder + "/hand"
    try writeScript(
      """
      #!/usr/bin/python3 -B
      import socket, sys
      def command(text):
          reader = socket.socket(socket.AF_UNIX)
          reader.connect("\(scene.reader.path)")
          reader.sendall(text.encode())
          while reader.recv(4096):
              pass
      for line in sys.stdin:
          words = line.split()
          answer = "ok"
          if words[0] == "touch":
              # Before that is answered a touch may be lost: see VirtualReader.
              command("LIST")
              command("RETRY 0" if words[1] == "poorly" else "SCAN " + words[1])
          elif words[0] == "passcode":
              answer = "\(RunningDaemon.passcode)"
          elif words[0] != "passcode?":
              answer = "cannot: this hand has no " + ("plug" if words[0] == "unplug" else words[0])
          print(answer, flush=True)

      """, to: path)
    return path
  }
}
