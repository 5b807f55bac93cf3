import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Debian's own pinentries: on a terminal, and in a window under Xvfb, where xdotool is the keyboard.
@Suite struct RealPinentryTests {
  private static func has(_ paths: String...) -> Bool { paths.allSatisfy { access($0, X_OK) == 0 } }
  static let hasTTY = has("/usr/bin/pinentry-tty")
  static let hasWindows = has("/usr/bin/Xvfb", "/usr/bin/xdotool", "/usr/bin/dbus-daemon")
  static let hasGnome = hasWindows && has("/usr/bin/pinentry-gnome3")
  static let hasGTK = hasWindows && has("/usr/bin/pinentry-gtk-2")
  static let hasDunst = hasWindows && has("/usr/bin/dunst")

  @Test(.enabled(if: hasTTY, "needs pinentry-tty, which `make deps` installs"))
  func `pinentry-tty asks on the terminal, and the passcode goes to signetd`() throws {
    let run = try PromptRun(environment: ["SIGNET_PINENTRY=/usr/bin/pinentry-tty", "TERM=dumb"], onTerminal: true)
    guard case .terminal(let terminal) = run.host else { throw TestKitError("no terminal") }
    try run.askPasscode()
    let shown = try terminal.read(until: "Passcode:")
    #expect(shown.contains("mail wants your passcode") && shown.contains("read the post"))
    terminal.type("right horse\n")
    #expect(try run.request() == PromptRun.passcode("right horse"))
    try run.show(.wrongPasscode, value: 2)
    try run.askPasscode(.wrongPasscode)
    try terminal.read(until: "Wrong passcode, 2 attempts left")
    try terminal.read(until: "Passcode:")
    terminal.type("\u{3}")
    #expect(try run.request() == PromptRun.plain(.cancel))
    #expect(try run.waitForExit() == 0)
    #expect(!terminal.screen.contains("right horse"))
  }

  @Test(.enabled(if: hasTTY, "needs pinentry-tty, which `make deps` installs"))
  func `the terminal is as it was when signetd decides while pinentry-tty asks`() throws {
    let run = try PromptRun(environment: ["SIGNET_PINENTRY=/usr/bin/pinentry-tty", "TERM=dumb"], onTerminal: true)
    guard case .terminal(let terminal) = run.host else { throw TestKitError("no terminal") }
    #expect(terminal.echoes)
    try run.askPasscode()
    try terminal.read(until: "Passcode:")
    try terminal.wait { !$0.echoes }
    try run.send(PromptRun.done)
    #expect(try run.waitForExit() == 0)
    #expect(terminal.echoes)
  }

  @Test(
    .enabled(if: hasGnome && hasGTK, "needs pinentry-gnome3, pinentry-gtk2, Xvfb and xdotool, which `make deps` installs"),
    arguments: ["/usr/bin/pinentry-gnome3", "/usr/bin/pinentry-gtk-2"])
  func `a window asks for the passcode, and another one after a wrong one`(program: String) throws {
    let screen = try VirtualScreen()
    let run = try PromptRun(environment: screen.environment + ["SIGNET_PINENTRY=\(program)"])
    try run.askPasscode()
    // A window may be there before it takes keys, and the one before may be there still: what came of the keys is asked for again,
    // as after a wrong passcode.
    var isTyped = false
    for _ in 0..<5 where !isTyped {
      try? screen.type("right horse", into: "Signet")
      isTyped = (try? run.request(within: 3_000)) == PromptRun.passcode("right horse")
      try run.show(.wrongPasscode, value: 1)
      try run.askPasscode(.wrongPasscode)
    }
    #expect(isTyped)
    var isCancelled = false
    for _ in 0..<5 where !isCancelled {
      try? screen.press("Escape", in: "Signet")
      isCancelled = (try? run.request(within: 3_000)) == PromptRun.plain(.cancel)
    }
    #expect(isCancelled)
    #expect(try run.waitForExit() == 0)
  }

  @Test(.enabled(if: hasDunst, "needs dunst, Xvfb and xdotool, which `make deps` installs"))
  func `a real server shows the notification, and closing it cancels`() throws {
    let screen = try VirtualScreen()
    let home = try TemporaryFolder()
    let dunst = try Program(
      ["/usr/bin/dunst", "-conf", "/dev/null"], environment: ["PATH=/usr/bin:/bin", "HOME=\(home.path)"] + screen.environment)
    try screen.awaitName("org.freedesktop.Notifications")
    let run = try PromptRun(environment: screen.environment)
    try run.show(.touchReader)
    _ = try screen.window("Dunst")
    try screen.control(["dunstctl", "close"])
    #expect(try run.request() == PromptRun.plain(.cancel))
    #expect(try run.waitForExit() == 0)
    dunst.signal(SIGTERM)
    _ = try dunst.waitForExit()
  }
}
