import Glibc

/// An application on a terminal of its own, on which it asks by Signet's own prompts; the test is its owner.
public final class TerminalProgram {
  public let terminal: PseudoTerminal

  /// - Parameter inherited: as `PseudoTerminal` has it.
  public init(_ words: [String], environment: [String], inherited: [Int32: Int32] = [:]) throws {
    terminal = try PseudoTerminal(words, environment: ["TERM=dumb"] + environment, inherited: inherited)
  }

  /// Answers the next question for the passcode.
  public func enterPasscode(_ passcode: String = RunningDaemon.passcode) throws {
    try terminal.read(until: "Passcode: ")
    try terminal.wait { !$0.echoes }
    terminal.type(passcode + "\n")
  }

  /// Puts a finger on the reader once it is asked for.
  public func touch(_ finger: String = "right", _ reader: VirtualReader) throws {
    try terminal.read(until: "the fingerprint reader")
    try reader.scan(finger)
  }

  /// So many misses in one evaluation.
  public func miss(_ times: Int, _ reader: VirtualReader) throws {
    try touch("wrong", reader)
    for _ in 1..<max(1, times) {
      try terminal.read(until: "not recognised")
      try reader.scan("wrong")
    }
  }

  /// Presses Enter after a miss.
  public func askPasscode() throws {
    try terminal.read(until: "not recognised")
    try terminal.wait { !$0.echoes }
    terminal.type("\n")
  }

  /// What the program prints next.
  @discardableResult
  public func line(beginning word: String) throws -> String {
    try terminal.read(until: word)
    let rest = try terminal.read(until: "\n")
    return word + String(rest.filter { $0 != "\r\n" && $0 != "\n" && $0 != "\r" })
  }

  /// The lines that it printed, to its end.
  public func lines() throws -> [String] {
    try terminal.readToEnd()
    let status = try terminal.waitForExit()
    guard status == 0 else { throw TestKitError("ended with \(status): \(terminal.screen)") }
    return terminal.screen.split(whereSeparator: \.isNewline).map(String.init)
  }
}
