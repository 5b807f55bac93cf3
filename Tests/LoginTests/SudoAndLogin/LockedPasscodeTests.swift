import Glibc
import SignetTestKit
import Testing

/// Debian's usermod and passwd lock a passcode, and with it the finger.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `A locked passcode` {
  private let world: World
  private let touch = "or enter your passcode: "

  init() throws {
    world = try World()
    try world.enroll()
  }

  private func order(_ words: String...) throws -> String {
    let terminal = try world.run(words)
    try terminal.readToEnd()
    return try terminal.waitForExit() == 0 ? terminal.screen : "\(words): \(terminal.screen)"
  }

  private func expectFinger() throws {
    let sudo = try world.sudo("id", "-un")
    try sudo.read(until: touch)
    try world.reader.scan("right")
    try sudo.readToEnd()
    #expect(sudo.screen.contains("root\r\n"))
  }

  private func expectNoFinger() throws {
    let sudo = try world.sudo("id", "-un")
    try sudo.read(until: "password for finger: ")
    #expect(!sudo.screen.contains("ingerprint"))
    sudo.type("\n")
    try sudo.readToEnd()
    #expect(try order("signet", "status", "--user", World.user).contains("Strikes:  0 of 5"))
  }

  @Test func `after usermod -L no finger is asked for or charged, and after -U it opens again`() throws {
    try expectFinger()
    #expect(try order("usermod", "-L", World.user) == "")
    try expectNoFinger()
    #expect(try order("signet", "history", "--user", World.user).contains("no passcode is set"))
    #expect(try order("usermod", "-U", World.user) == "")
    try expectFinger()
  }

  @Test func `so after passwd -l and -u, and after passwd -d`() throws {
    _ = try order("passwd", "-l", World.user)
    try expectNoFinger()
    _ = try order("passwd", "-u", World.user)
    try expectFinger()
    _ = try order("passwd", "-d", World.user)
    let sudo = try world.sudo("id", "-un")
    try sudo.readToEnd()
    #expect(!sudo.screen.contains("ingerprint"))
  }
}
