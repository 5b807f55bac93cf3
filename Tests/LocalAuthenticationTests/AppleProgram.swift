import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Both forms of the same sources.
let languageModes = [5, 6]

/// A program in the style of tutorials, on a terminal of its own, with a real signetd.
final class AppleProgram {
  let terminal: PseudoTerminal

  init(_ words: [String], mode: Int = 6, socket: String) throws {
    terminal = try PseudoTerminal(
      [try ReaderChannel.program("apple-style-\(mode)")] + words,
      environment: ["PATH=/usr/bin:/bin", "TERM=dumb", "SIGNET_SOCKET=\(socket)", "SWIFT_BACKTRACE=enable=no"])
  }

  /// Answers the next question for the passcode.
  func enterPasscode(_ passcode: String = RunningDaemon.passcode) throws {
    try terminal.read(until: "Passcode: ")
    try terminal.wait { !$0.echoes }
    terminal.type(passcode + "\n")
  }

  /// Puts a finger on the reader once it is asked for.
  func touch(_ finger: String = "right", _ reader: VirtualReader) throws {
    try terminal.read(until: "the fingerprint reader")
    try reader.scan(finger)
  }

  /// So many misses in one evaluation.
  func miss(_ times: Int, _ reader: VirtualReader) throws {
    try touch("wrong", reader)
    for _ in 1..<max(1, times) {
      try terminal.read(until: "not recognised")
      try reader.scan("wrong")
    }
  }

  /// Presses Enter after a miss.
  func askPasscode() throws {
    try terminal.read(until: "not recognised")
    try terminal.wait { !$0.echoes }
    terminal.type("\n")
  }

  /// What the program prints next.
  @discardableResult
  func line(beginning word: String) throws -> String {
    try terminal.read(until: word)
    let rest = try terminal.read(until: "\n")
    return word + String(rest.filter { $0 != "\r\n" && $0 != "\n" && $0 != "\r" })
  }

  /// The lines that it printed, to its end.
  func lines() throws -> [String] {
    try terminal.readToEnd()
    let status = try terminal.waitForExit()
    guard status == 0 else { throw TestKitError("ended with \(status): \(terminal.screen)") }
    return terminal.screen.split(whereSeparator: \.isNewline).map(String.init)
  }
}

extension Scene {
  func start(_ words: String..., mode: Int = 6) throws -> AppleProgram {
    try AppleProgram(words, mode: mode, socket: daemon.socket)
  }

  /// A program that asks nobody anything.
  func run(_ words: String..., mode: Int = 6) throws -> [String] {
    try AppleProgram(words, mode: mode, socket: daemon.socket).lines()
  }

  /// A session that the passcode opened, as a program has that runs on a desktop: its vault is open, and its owner there.
  func openSession() throws {
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    try client.awaitArmed()
    try client.fallback()
    guard case .askPasscode = try client.afterShowing() else { throw TestKitError("no passcode is asked for") }
    try client.answer(passcode: RunningDaemon.passcode)
    guard case .verdict(.success, _, let token) = try client.afterShowing() else { throw TestKitError("no login") }
    let opening = try daemon.connect()
    try opening.openSession(token: token)
    guard try opening.nextAdministration() == .done else { throw TestKitError("no session") }
  }

  /// An evaluation by another program, in either form; what it prints.
  func evaluate(_ form: String, _ policy: Int, _ proving: (AppleProgram) throws -> Void = { _ in }) throws -> String {
    let program = try start("evaluate", form, "\(policy)")
    try proving(program)
    return try program.line(beginning: "evaluated ")
  }
}
