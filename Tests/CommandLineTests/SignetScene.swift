import Glibc
import SignetTestKit
import SignetVocabulary

/// The command line with a real signetd, signet-reader and libfprint's virtual reader.
final class SignetScene {
  let reader: VirtualReader
  let daemon: RunningDaemon

  /// How a command on a terminal ended, and what was on the screen.
  typealias End = (status: Int32, screen: String)

  init() throws {
    reader = try VirtualReader(.device)
    daemon = try RunningDaemon(reader)
  }

  /// Runs a command to its end, without a terminal.
  func signet(_ words: [String], input: [UInt8]? = nil) throws -> Signet {
    try Signet.run(words + ["--socket", daemon.socket], input: input)
  }

  func start(_ words: [String]) throws -> PseudoTerminal {
    try PseudoTerminal([Signet.path()] + words + ["--socket", daemon.socket], environment: Signet.environment)
  }

  func end(_ terminal: PseudoTerminal) throws -> End {
    let status = try terminal.waitForExit()
    try terminal.readToEnd()
    return (status, terminal.screen)
  }

  func enroll(_ finger: Finger, as scan: String, _ words: String...) throws -> End {
    try finishEnrolling(on: start(["enroll", finger.name] + words), as: scan)
  }

  /// From the passcode on.
  func finishEnrolling(on terminal: PseudoTerminal, as scan: String) throws -> End {
    try answerPasscode(on: terminal)
    try terminal.read(until: "fingerprint reader")
    try reader.scan(scan)
    for stage in 1..<5 {
      try terminal.read(until: "\(stage) of 5")
      try reader.scan(scan)
    }
    return try end(terminal)
  }

  /// Root is not asked.
  func answerPasscode(on terminal: PseudoTerminal) throws {
    guard geteuid() != 0 else { return }
    try terminal.read(until: "Passcode: ")
    terminal.type(RunningDaemon.passcode + "\n")
  }
}
