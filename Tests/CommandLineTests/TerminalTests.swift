import Glibc
import SignetBytes
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// On a terminal: the hidden passcode, the redrawn line, and the keys that interrupt.
@Suite struct TerminalTests {
  private static func passcode(_ packet: [UInt8]) throws -> String {
    var fields = ByteReader(packet.span)
    _ = try fields.header()
    return String(decoding: Array(copying: try PasscodeRequest(parsing: fields).passcode), as: UTF8.self)
  }

  private func start(_ daemon: ScriptedDaemon) throws -> PseudoTerminal {
    try PseudoTerminal(
      [Signet.path(), "delete", "left-thumb", "--socket", daemon.path], environment: Signet.environment)
  }

  private static let asking: [ScriptedDaemon.Step] = [.expect(.delete), .reply(.askPasscode(.administration))]

  @Test func `the passcode is sent, and never shown`() throws {
    let daemon = try ScriptedDaemon(emptyVault, TerminalTests.asking + [.expect(.passcode), .done])
    let terminal = try start(daemon)
    try terminal.read(until: "Passcode: ")
    #expect(!terminal.echoes)
    terminal.type("s3cret wörd\n")
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.echoes)
    try terminal.readToEnd()
    #expect(terminal.screen == "Passcode: \r\nDeleted left-thumb.\r\n")
    #expect(try TerminalTests.passcode(daemon.finish()[1][1]) == "s3cret wörd")
  }

  @Test(arguments: [(RequestKind.enroll, ["enroll", "left-thumb"]), (.importFprintd, ["import", "fprintd"])])
  func `who meets the passcode first reads that it is the login password`(kind: RequestKind, words: [String]) throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(kind), .reply(.askPasscode(.administration)), .expect(.passcode), .reply(.refused(.passcodeUnchecked)),
      ])
    let terminal = try PseudoTerminal([Signet.path()] + words + ["--socket", daemon.path], environment: Signet.environment)
    try terminal.read(until: "Passcode: ")
    #expect(terminal.screen == "To enroll a finger, enter your passcode (your login password).\r\nPasscode: ")
    terminal.type("wrong\n")
    #expect(try terminal.waitForExit() == 1)
    try daemon.finish()
  }

  @Test(arguments: ["\n", "\u{4}"]) func `no passcode is a cancel`(keys: String) throws {
    let daemon = try ScriptedDaemon(emptyVault, TerminalTests.asking + [.expect(.cancel)])
    let terminal = try start(daemon)
    try terminal.read(until: "Passcode: ")
    terminal.type(keys)
    #expect(try terminal.waitForExit() == 1)
    #expect(terminal.echoes)
    try daemon.finish()
  }

  @Test func `a passcode longer than the protocol's is not cut and sent`() throws {
    let daemon = try ScriptedDaemon(emptyVault, TerminalTests.asking + [.silence])
    let terminal = try start(daemon)
    try terminal.read(until: "Passcode: ")
    terminal.type(String(repeating: "x", count: 513) + "\n")
    #expect(try terminal.waitForExit() == 1)
    #expect(try daemon.finish()[1].count == 1)
  }

  @Test func `Ctrl-C at the question restores the terminal`() throws {
    let daemon = try ScriptedDaemon(emptyVault, TerminalTests.asking + [.expect(.cancel)])
    let terminal = try start(daemon)
    try terminal.read(until: "Passcode: ")
    terminal.type("half\u{3}")
    #expect(try terminal.waitForExit() == 130)
    #expect(terminal.echoes)
    try daemon.finish()
  }

  @Test func `the suspend key restores the terminal, and what is typed until the question comes again is no answer`() throws {
    let daemon = try ScriptedDaemon(emptyVault, TerminalTests.asking + [.expect(.passcode), .done])
    let terminal = try start(daemon)
    try terminal.read(until: "Passcode: ")
    terminal.type("\u{1A}")
    var status: Int32 = 0
    try #require(waitpid(terminal.pid, &status, WUNTRACED) == terminal.pid)
    #expect(status & 0xff == 0x7f)
    #expect(terminal.echoes)
    terminal.type("meant for the shell\n")
    try terminal.read(until: "meant for the shell")
    kill(terminal.pid, SIGCONT)
    try terminal.read(until: "Passcode: ")
    #expect(!terminal.echoes)
    terminal.type("secret\n")
    #expect(try terminal.waitForExit() == 0)
    #expect(try TerminalTests.passcode(daemon.finish()[1][1]) == "secret")
  }

  @Test func `a refusal overtakes the question`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault, TerminalTests.asking + [.reply(.heartbeat), .reply(.refused(.passcodeUnchecked))])
    let terminal = try start(daemon)
    #expect(try terminal.waitForExit() == 1)
    #expect(terminal.echoes)
    try terminal.readToEnd()
    #expect(terminal.screen.contains("signet: The passcode could not be checked"))
  }

  @Test func `signetd that dies at the question restores the terminal`() throws {
    let daemon = try ScriptedDaemon(emptyVault, TerminalTests.asking)
    let terminal = try start(daemon)
    #expect(try terminal.waitForExit() == 3)
    #expect(terminal.echoes)
  }

  @Test func `a verification on a terminal redraws one line`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.show(.touchReader)), .send(Packet.show(.notRecognised, value: 2)),
      .send(Packet.refusal(.authenticationFailed)),
    ])
    let terminal = try PseudoTerminal(
      [Signet.path(), "verify", "--user", "alice", "--socket", daemon.path], environment: Signet.environment)
    #expect(try terminal.waitForExit() == 1)
    try terminal.readToEnd()
    #expect(
      terminal.screen.hasPrefix("\r\u{1B}[JTouch the fingerprint reader\r\u{1B}[JFingerprint not recognised, 2 attempts left\r\n")
    )
  }
}
