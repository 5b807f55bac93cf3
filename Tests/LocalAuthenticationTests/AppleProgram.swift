import SignetTestKit
import SignetVocabulary
import Testing

/// Both forms of the same sources.
let languageModes = [5, 6]

/// A program in the style of tutorials, on a terminal of its own, with a real signetd.
typealias AppleProgram = TerminalProgram

extension TerminalProgram {
  convenience init(_ words: [String], mode: Int = 6, socket: String, inherited: [Int32: Int32] = [:]) throws {
    try self.init(
      [try ReaderChannel.program("apple-style-\(mode)")] + words,
      environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(socket)", "SWIFT_BACKTRACE=enable=no"], inherited: inherited)
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
