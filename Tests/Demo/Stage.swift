import Glibc
import SignetTestKit

/// A signetd of its own, a virtual image reader and a hand with fingers, all in temporary folders.
final class Stage {
  let reader: VirtualReader
  let daemon: RunningDaemon
  private let finger = SyntheticFinger(seed: 1)
  private let stranger = SyntheticFinger(seed: 2)
  /// No touch is like another.
  private var touches = 0

  init() throws {
    reader = try VirtualReader(.image)
    daemon = try RunningDaemon(reader, rules: "")
    let module = try ReaderChannel.program("libpam_signet.so")
    // As pam/signet.pam-config: what is unavailable goes on to the next module, a wrong passcode ends the stack.
    let ours = "[success=done auth_err=die maxtries=die abort=die conv_err=die default=ignore]"
    try daemon.write(
      "pam/login",
      """
      auth \(ours) \(module) socket=\(daemon.socket)
      auth required \(RunningDaemon.matrix) passdb=\(daemon.folder)/passcodes
      session optional \(module) socket=\(daemon.socket)

      """)
  }

  func touchRight() throws {
    Story.does("puts the enrolled finger on the reader")
    try present(finger)
  }

  func touchWrong() throws {
    Story.does("puts another finger on the reader")
    try present(stranger)
  }

  private func present(_ finger: SyntheticFinger) throws {
    touches += 1
    try reader.present(finger.impression(touches))
  }

  /// Runs our command line on a terminal and shows it; `user` acts meanwhile. Returns its exit status.
  @discardableResult
  func signet(_ words: String..., user: (Screen) throws -> Void = { _ in }) throws -> Int32 {
    Story.types("signet " + words.joined(separator: " "))
    let takesSocket = words.first != "token"
    let screen = Screen(
      try PseudoTerminal([ReaderChannel.program("signet")] + words + (takesSocket ? ["--socket", daemon.socket] : [])))
    try user(screen)
    return try screen.showToEnd()
  }

  /// Runs somebody's application, which knows nothing of the demo, on a terminal.
  func application(_ name: String, _ words: String..., user: (Screen) throws -> Void) throws -> Int32 {
    Story.types(([name] + words).joined(separator: " "))
    let environment = ["SIGNET_SOCKET=\(daemon.socket)", "PATH=\(daemon.folder):/usr/bin:/bin", "BROWSER=xdg-open"]
    let screen = Screen(try PseudoTerminal([ReaderChannel.program(name)] + words, environment: environment))
    try user(screen)
    return try screen.showToEnd()
  }
}

/// A terminal whose text is told as the story goes on.
final class Screen {
  private let terminal: PseudoTerminal
  private var told = 0

  init(_ terminal: PseudoTerminal) { self.terminal = terminal }

  func type(_ text: String) { terminal.type(text) }

  /// Waits until the screen says this, and tells what it says.
  func show(until text: String) throws {
    try terminal.read(until: text)
    tell()
  }

  /// Tells the rest; returns the program's exit status.
  func showToEnd() throws -> Int32 {
    try terminal.readToEnd()
    tell()
    return try terminal.waitForExit()
  }

  private func tell() {
    let new = String(terminal.screen.dropFirst(told))
    told = terminal.screen.count
    // Progress is redrawn in place; here each state of it stands below the one before.
    Story.sees(new.replacing(/\x1B\[(?:\d+A|J)/, with: "\n"))
  }
}
