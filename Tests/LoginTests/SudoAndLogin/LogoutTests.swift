import Glibc
import SignetTestKit
import Testing

/// A vault closes at the logout that logind tells of, with Debian's own su.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `A logout` {
  private let world: World

  init() throws {
    world = try World()
    try world.becomeShared()
    try world.enrollWithVault()
    try world.awaitLog("vault made")
  }

  private func order(_ words: String...) throws -> String {
    let terminal = try world.run(words)
    try terminal.readToEnd()
    _ = try terminal.waitForExit()
    return terminal.screen
  }

  @Test func `closes the vault though Signet opened none of the sessions`() throws {
    #expect(try order("signet", "status", "--user", World.user).contains("open"))
    try world.logOut()
    try world.awaitLog("vault closed: the last session ended")
  }

  @Test func `of su closes nothing of somebody who is still logged in`() throws {
    let su = try world.run(["su", World.user, "-c", "id -un"], as: World.other)
    try su.read(until: "Password: ")
    su.type(World.passcode + "\n")
    try su.readToEnd()
    #expect(try su.waitForExit() == 0)
    try world.awaitLog("vault opened")
    #expect(try order("signet", "status", "--user", World.user).contains("open"))
    #expect(!world.logged.contains("vault closed"))
    try world.logOut()
    try world.awaitLog("vault closed: the last session ended")
  }
}
