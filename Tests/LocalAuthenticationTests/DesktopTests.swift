import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A program without a terminal: a real notification server and a real pinentry, on a screen that nobody sees, show and ask for it.
@Suite(.serialized) struct DesktopTests {
  private static let needed: [String] = [
    "/usr/bin/Xvfb", "/usr/bin/xdotool", "/usr/bin/dbus-daemon", "/usr/bin/dunst", "/usr/bin/pinentry-gtk-2",
  ]
  private static let isAvailable = needed.allSatisfy { access($0, X_OK) == 0 }

  /// A program of `evaluate`, and what it prints.
  private struct Run {
    let program: Program
    let lines: Lines

    init(_ scene: Scene, _ screen: VirtualScreen, mode: Int) throws {
      lines = try Lines()
      let environment = [
        "PATH=/usr/bin:/bin", "HOME=\(scene.daemon.folder)", "SIGNET_SOCKET=\(scene.daemon.socket)",
        "SIGNET_PROMPT=\(try ReaderChannel.program("signet-prompt"))", "SIGNET_PINENTRY=/usr/bin/pinentry-gtk-2",
        "SWIFT_BACKTRACE=enable=no",
      ]
      program = try Program(
        ["setsid", "-w", try ReaderChannel.program("apple-style-\(mode)"), "evaluate", "async", "2"],
        environment: environment + screen.environment, descriptors: [1: lines.writer, 2: 2])
    }

    func end() throws -> String {
      lines.readToEnd()
      #expect(try program.waitForExit() == 0)
      return lines.text
    }
  }

  @Test(
    .enabled(if: isAvailable, "needs dunst, pinentry-gtk2, Xvfb and xdotool, which `make deps` installs"),
    arguments: languageModes)
  func `a notification asks for the finger, and a window for the passcode`(mode: Int) throws {
    let scene = try Scene()
    let screen = try VirtualScreen()
    let dunst = try Program(
      ["/usr/bin/dunst", "-conf", "/dev/null"],
      environment: ["PATH=/usr/bin:/bin", "HOME=\(scene.daemon.folder)"] + screen.environment)
    defer {
      dunst.signal(SIGTERM)
      _ = try? dunst.waitForExit()
    }
    try screen.awaitName("org.freedesktop.Notifications")

    let byFinger = try Run(scene, screen, mode: mode)
    _ = try screen.window("Dunst")
    try scene.reader.scan("right")
    #expect(try byFinger.end() == "evaluated true\nend\n")

    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
    let byPasscode = try Run(scene, screen, mode: mode)
    // A window may be there before it takes keys: then what came of the keys is a wrong passcode, and it is asked for again.
    for _ in 0..<3 where !byPasscode.lines.text.contains("evaluated") {
      try? screen.type(RunningDaemon.passcode, into: "Signet")
      try? byPasscode.lines.read(until: "evaluated", within: 3_000)
    }
    #expect(try byPasscode.end() == "evaluated true\nend\n")
  }
}
