import CLinux
import Foundation
import Glibc
import SignetTestKit
import Testing

/// One host on a terminal, at its prompt. See `Scenario` for what is done there, and `finish` for what is looked at in the end.
final class Cell {
  let host: Host
  /// Which one it is, for what goes wrong in it.
  private let name: Comment
  let terminal: PseudoTerminal
  private let world: World
  private let modes: [UInt8]
  private let bystanders: Set<pid_t>

  private static let prompt = "\n$ "

  /// - Parameter scenario: its name.
  init(_ host: Host, _ scenario: String, in world: World) throws {
    (self.host, self.world) = (host, world)
    name = "\(host.name), \(scenario)"
    bystanders = try world.inhabitants()
    switch host.start {
    case .line(let line):
      terminal = try world.runAsUser(["/bin/sh"])
      try terminal.read(until: "$ ")
      modes = terminal.modes
      terminal.type(line + "\n")
    case .session(let line):
      // Which waits until the terminal was looked at.
      terminal = try world.run(["/bin/sh", "-c", "echo ready; read -r go; exec \(line)"])
      try terminal.read(until: "ready\r\n")
      modes = terminal.modes
      terminal.type("\n")
    }
    try awaitQuestion()
  }

  // MARK: What a scenario does

  /// Waits for the prompt, with the terminal in its hands.
  func awaitQuestion() throws {
    try terminal.read(until: host.question)
    try terminal.wait { !$0.echoes }
    // Whoever saw nobody now would see nobody in the end, either.
    #expect(try world.hasConnections() && !world.inhabitants().subtracting(bystanders).isEmpty, name)
  }

  func scan(_ finger: String) throws { try world.reader.scan(finger) }

  /// Types a passcode as the host wants it.
  func enter(_ passcode: String) throws {
    guard host.form == .afterEnter else { return terminal.type(passcode + "\n") }
    terminal.type("\n")
    try answerPasscodePrompt(passcode)
  }

  func answerPasscodePrompt(_ passcode: String, end: String = "\n") throws {
    try terminal.read(until: host.form == .either ? "Passcode: " : "Password: ")
    // pkttyagent says it before it has the terminal.
    try terminal.wait { !$0.echoes }
    terminal.type(passcode + end)
  }

  func awaitPasscodeCheck() throws {
    let daemon = ProcessLook(world.daemonPid)
    try wait(for: "the passcode's check") { try !daemon.children(named: "signet-passcode").isEmpty }
  }

  /// Stops the host, and has it continued by the shell, at whatever prompt it has then.
  func stopAndGoOn() throws {
    terminal.type("\u{1A}")
    try terminal.read(until: Cell.prompt)
    try awaitModes()
    terminal.type("fg\n")
    // pkttyagent does not say its prompt again.
    if host.form == .either { try terminal.read(until: "pass") }
    try terminal.wait { !$0.echoes }
  }

  func resize() throws {
    var size = winsize(ws_row: 20, ws_col: 30, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(terminal.master, UInt(TIOCSWINSZ), &size) == 0 else { throw TestKitError("TIOCSWINSZ: \(clinux_errno())") }
  }

  // MARK: What is looked at in the end

  /// Follows the host to this end, and looks at everything that it may have left.
  func finish(_ ending: Host.Ending?) throws {
    switch (ending, ending.flatMap { host.outcomes[$0] }) {
    case (.granted, _): try finishGranted()
    case (.some, .status(let status)): try finishRefused(status)
    case (.some, .asksAgain): try finishAskingAgain()
    case (.some, nil): throw TestKitError("the table has no such outcome")
    case (nil, _): _ = try terminal.waitForExit()
    }
    #expect(try world.hasProbed() == (ending == .granted), name)
    try awaitNothingLeft()
  }

  private func finishGranted() throws {
    if case .session = host.start {
      try terminal.read(until: "$ ")
      try awaitModes()
      terminal.type("probe\n")
    }
    try terminal.read(until: "probe reads\r\n")
    terminal.type("end\n")
    try terminal.read(until: "read <")
    #expect(try terminal.read(until: ">") == "end>", name)
    #expect(try world.probedDescriptors() == "0, 1, 2, 3\n", name)
    try leaveShell(0)
  }

  private func finishRefused(_ status: Int32) throws {
    guard case .line = host.start else {
      try terminal.readToEnd()
      return #expect(try terminal.waitForExit() == status, name)
    }
    try leaveShell(status)
  }

  private func finishAskingAgain() throws {
    try terminal.read(until: "login: ")
    try awaitModes()
    terminal.type("\u{3}")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == -SIGINT, name)
  }

  /// At the prompt of the shell, which has this status of the host and nothing that was typed before.
  private func leaveShell(_ status: Int32) throws {
    try terminal.read(until: Cell.prompt)
    try awaitModes()
    // An agent that is still about to end throws away what is typed by then. login stays, as the shell's parent.
    if case .line = host.start {
      try wait(for: "the shell to be alone") { try world.inhabitants().subtracting(bystanders).count <= 1 }
    }
    // The quotes are not in what it prints: what is found is not what was typed.
    terminal.type("echo sta''tus $?\n")
    try terminal.read(until: "status ")
    #expect(try terminal.read(until: "\r\n") == "\(status)\r\n", name)
    try terminal.read(until: "$ ")
    terminal.type("echo cle''an\n")
    try terminal.read(until: "clean\r\n")
    try terminal.read(until: "$ ")
    terminal.type("exit\n")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0, name)
    try awaitModes()
  }

  /// A moment after the shell has its prompt, where a part of the host was not the shell's to wait for.
  private func awaitModes() throws {
    try wait(for: "the terminal's modes as they were") { terminal.modes == modes }
  }

  private func awaitNothingLeft() throws {
    #expect(!terminal.screen.contains("hunter"), name)
    try wait(for: "the end of all that the host has started") {
      try world.inhabitants().subtracting(bystanders).isEmpty
    }
    try wait(for: "the end of the host's connection to signetd") { try !world.hasConnections() }
  }
}

extension PseudoTerminal {
  /// All of its settings, to be compared.
  fileprivate var modes: [UInt8] { withUnsafeBytes(of: settings) { Array($0) } }
}
