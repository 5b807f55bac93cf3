import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A prompt of ssh's, the real signet-askpass and signet-prompt, and a real signetd with a virtual reader.
@Suite struct EndToEndTests {
  private let scene: Scene
  private let words: [String]

  init() throws {
    scene = try Scene()
    words = [try ReaderChannel.program("signet-askpass"), "Enter passphrase for key '/k': "]
    let item = Item(ItemName(service: "ssh-key", account: "/k"), accessControl: AccessControl(.userPresence))
    let stored = try scene.daemon.connect().ask(
      .add(user: "", item, length: 11), value: Array("open sesame".utf8), Proving(passcode: RunningDaemon.passcode))
    #expect(stored.end == .done)
  }

  private func environment(_ more: String...) -> [String] {
    ["PATH=/usr/bin:/bin", "TERM=dumb", "LC_ALL=C.UTF-8", "SIGNET_SOCKET=\(scene.daemon.socket)"] + more
  }

  @Test func `who keeps a passphrase without a pinentry is told which package has one`() throws {
    let lines = try Lines()
    let program = try Program(
      [words[0], "--keep", "ssh-key", "/k"], environment: environment("SIGNET_PINENTRY=/nonexistent/pinentry"),
      descriptors: [2: lines.writer])
    lines.readToEnd()
    #expect(lines.text.contains("Install one: apt-get install pinentry-curses\n"), "\(lines.text)")
    #expect(try program.waitForExit() == 1)
  }

  @Test func `a finger releases the passphrase, on a terminal`() throws {
    let terminal = try PseudoTerminal(words, environment: environment())
    try terminal.read(until: "fingerprint reader")
    try scene.reader.scan("right")
    try terminal.read(until: "open sesame")
    #expect(try terminal.waitForExit() == 0)
  }

  @Test(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
  func `a finger releases it for a program without a terminal, with a notification meanwhile`() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(on: bus)
    let lines = try Lines()
    let program = try Program(
      ["setsid", "-w"] + words,
      environment: environment(
        "DISPLAY=:77", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "SIGNET_PROMPT=\(try ReaderChannel.program("signet-prompt"))"),
      descriptors: [1: lines.writer])
    var shown = try server.next()
    #expect(shown.summary?.hasSuffix(" wants your finger") == true && shown.body?.contains("use the key /k") == true)
    try scene.reader.scan("wrong")
    while shown.actions?.contains("passcode") != true { shown = try server.next() }
    try scene.reader.scan("right")
    #expect(try server.next() == .closing(shown.number))
    lines.readToEnd()
    #expect(lines.text == "open sesame\n")
    #expect(try program.waitForExit() == 0)
  }

  @Test(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
  func `cancelling the notification releases nothing and costs nothing`() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(on: bus)
    let lines = try Lines()
    let program = try Program(
      ["setsid", "-w"] + words,
      environment: environment(
        "DISPLAY=:77", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "SIGNET_PINENTRY=/proc/nonexistent",
        "SIGNET_PROMPT=\(try ReaderChannel.program("signet-prompt"))"),
      descriptors: [1: lines.writer])
    let shown = try server.next()
    try server.choose("cancel", of: shown.number)
    lines.readToEnd()
    #expect(lines.text.isEmpty)
    #expect(try program.waitForExit() == 1)
    try scene.daemon.awaitStrikes(0)
  }
}
