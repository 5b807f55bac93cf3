import Glibc
import SignetTestKit
import Testing

/// Each host with each scenario, on a terminal of its own: the table is `Host.all` times `Scenario.all`.
///
/// A switch to another console is not in it: pseudo-terminals have none (Tests/Machine has).
@Suite(.enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `Every host` {
  @Test(arguments: [Host.sudo, .su, .login])
  func `ends every scenario as it should, and leaves nothing behind`(host: Host) throws {
    // Each cell has a session of its own, which sudo remembers nothing of.
    try playAll(at: host) { try $0.letSudoRemember() }
  }

  @Test(.enabled(if: PolkitHost.isComplete, "needs polkit and its text agent (Debian: polkitd, pkexec)"))
  func `so does pkexec beside pkttyagent`() throws {
    var polkit: PolkitHost?
    try playAll(at: .pkttyagent) { polkit = try PolkitHost(in: $0) }
    withExtendedLifetime(polkit) {}
  }

  private func playAll(at host: Host, prepare: (World) throws -> Void) throws {
    let world = try World()
    try world.addProbe()
    try prepare(world)
    try world.enroll()
    for scenario in Scenario.all where scenario.leftOut[host.name] == nil {
      do {
        let cell = try Cell(host, scenario.name, in: world)
        try scenario.play(cell)
        try cell.finish(scenario.ending)
      } catch { Issue.record(error, "\(host.name), \(scenario.name)") }
      let reset = try world.run(["signet", "reset", World.user])
      try reset.readToEnd()
      #expect(try reset.waitForExit() == 0)
    }
  }
}
