import Foundation
import Glibc
import SignetTestKit
import Testing

/// Promise 7 with Debian's own setuid programs: a finger is asked for only where it can be the owner's.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `Whose hand is at the reader` {
  private let world: World
  private let touch = "or enter your passcode: "

  init() throws { world = try World() }

  private func expectFinger(_ terminal: PseudoTerminal) throws {
    try terminal.read(until: touch)
    try world.reader.scan("right")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("root\r\n"))
  }

  /// The passcode at once, and no word of a finger; then it works.
  private func expectPasscode(_ terminal: PseudoTerminal) throws {
    do { try terminal.read(until: "password for") } catch { throw TestKitError("\(error)\n\(world.logged)") }
    #expect(!terminal.screen.contains("your finger") && !terminal.screen.contains("fingerprint"), "\(terminal.screen)")
    terminal.type(World.passcode + "\n")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("root\r\n"))
  }

  @Test(arguments: [SessionLocation.atTheMachine, .desktop, .userService])
  func `the owner's sudo at the machine takes the finger`(_ place: SessionLocation) throws {
    try world.becomeShared()
    try world.enroll()
    try expectFinger(try world.run(["sudo", "id", "-un"], from: place))
  }

  @Test(arguments: [SessionLocation.ssh, .background, .leftBehind, .cron, .at, .service, .container])
  func `the owner's sudo from elsewhere comes to the passcode, whoever sits at the reader`(_ place: SessionLocation) throws {
    try world.becomeShared()
    try world.enroll()
    try expectPasscode(try world.run(["sudo", "id", "-un"], from: place))
  }

  @Test func `a desktop in the background comes to the passcode`() throws {
    try world.becomeShared()
    try world.enroll()
    try world.leaveSeat()
    try expectPasscode(try world.run(["sudo", "id", "-un"], from: .desktop))
  }

  @Test func `without logind a terminal that is no console comes to the passcode`() throws {
    try world.becomeShared(withLogind: false)
    try world.enroll()
    try expectPasscode(try world.run(["sudo", "id", "-un"], from: .atTheMachine))
  }

  @Test func `another user's su arms nothing, and the owner's sudo beside it is served at once`() throws {
    try world.becomeShared()
    try world.enroll()
    let stranger = try world.run(["su", World.user, "-c", "id -un"], as: World.other, from: .byAnother)
    try stranger.read(until: "Password: ")
    #expect(!stranger.screen.contains("your finger") && !stranger.screen.contains("fingerprint"), "\(stranger.screen)")

    let owner = try world.run(["sudo", "id", "-un"], from: .desktop)
    try expectFinger(owner)
    #expect(!owner.screen.contains("in use"))
    stranger.type("\n")
    try stranger.readToEnd()
    #expect(try stranger.waitForExit() != 0)
  }

  @Test(.enabled(if: PrivateBus.hasFprintd, "needs fprintd's programs, which `make fprintd` unpacks"))
  func `a program that waits for the owner's finger on the bus makes way for the owner's sudo`() throws {
    try world.becomeShared()
    try world.enroll()
    let bus = "unix:path=/run/test-bus"
    try PrivateBus.configuration(bus).write(toFile: world.root + "/run/test-bus.conf", atomically: false, encoding: .utf8)
    let daemon = try world.run(["dbus-daemon", "--config-file=/run/test-bus.conf", "--nofork", "--nopidfile", "--print-address"])
    try daemon.read(until: "unix:path=")
    let service = try world.run([try ReaderChannel.program("signet-fprint"), "--bus", bus])
    func program(_ name: String, _ words: String...) throws -> PseudoTerminal {
      try world.run(["env", "DBUS_SYSTEM_BUS_ADDRESS=\(bus)", "\(PrivateBus.fprintd)/\(name)"] + words, from: .desktop)
    }
    try wait(for: "signet-fprint to have its name") {
      let list = try program("fprintd-list", World.user)
      try list.readToEnd()
      return list.screen.contains("right-index-finger")
    }
    let question = try program("fprintd-verify")
    try question.read(until: "Verify started!")
    try expectFinger(try world.run(["sudo", "id", "-un"], from: .desktop))
    try question.read(until: "verify-disconnected (done)")
    for terminal in [service, daemon] { terminal.type("\u{3}") }
  }

  @Test func `whoever became the owner by su does not have the owner's finger`() throws {
    try world.becomeShared()
    try world.enroll()
    let place = SessionLocation(name: "", group: SessionLocation.byAnother.group, login: World.other)
    try expectPasscode(try world.run(["sudo", "id", "-un"], as: World.user, from: place))
  }

  @Test func `a service that the system started, and that opens no sessions, comes to the passcode`() throws {
    try world.becomeShared()
    try world.enroll()
    // Root from nobody's login, with a service's name that is not in seat_services.
    let terminal = try world.run(["setpriv", "--reuid", "65534", "--clear-groups", "su", World.user, "-c", "id -un"])
    try terminal.read(until: "Password: ")
    #expect(!terminal.screen.contains("fingerprint"), "\(terminal.screen)")
  }
}
