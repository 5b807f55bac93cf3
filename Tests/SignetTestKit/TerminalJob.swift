/// A program as a job in the foreground of a terminal, whose shell says what the job left behind: terminal_job.py.
public final class TerminalJob {
  public let terminal: PseudoTerminal

  public init(_ words: [String], environment: [String]) throws {
    let script = #filePath.dropLast("TerminalJob.swift".count) + "terminal_job.py"
    terminal = try PseudoTerminal(["/usr/bin/python3", String(script)] + words, environment: environment + ["TERM=dumb"])
  }

  /// Waits for its end: the exit status, or the negative number of the signal that ended it, and what it left behind.
  public func end() throws -> String {
    try terminal.read(until: "job ended ")
    return try line()
  }

  /// Waits until it is stopped: what it left behind meanwhile.
  public func stop() throws -> String {
    terminal.type("\u{1A}")
    try terminal.read(until: "job stopped ")
    return try line()
  }

  /// To the foreground again. What is typed before is the shell's.
  public func goOn() { terminal.type("\n") }

  /// What it leaves behind as it should.
  public static let clean = "modes same unread 0"

  /// The rest of the line.
  public func line() throws -> String { try terminal.read(until: "\n").filter { !$0.isNewline } }
}
