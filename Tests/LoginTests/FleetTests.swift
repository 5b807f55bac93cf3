import Glibc
import SignetTestKit
import Testing

/// The playbook of signet-fleet(7), word for word, run by Debian's Ansible on a machine with a real signetd.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"),
  .enabled(if: access("/usr/bin/ansible-playbook", X_OK) == 0, "needs Ansible (Debian: ansible-core)"))
struct `many machines` {
  private let world: World

  init() throws {
    world = try World()
    try world.enroll()
    // `signet doctor` runs the stacks by it.
    let install = try world.run(["install", ReaderChannel.program("signet-stack"), "/usr/local/bin"])
    #expect(try install.waitForExit() == 0)
    let checkout = #filePath.dropLast("Tests/LoginTests/FleetTests.swift".count)
    let page = try RawFile.text(checkout + "Sources/tools/signet/signet-fleet.7")
    let playbook = try #require(page.firstMatch(of: /\n\.Bd -literal\n((?s).*?)\n\.Ed\n/)).1
    try RawFile.create(world.root + "/run/fleet.yml", Array("\(playbook)\n".utf8))
    // There is no systemd in there.
    let systemctl = "#!/bin/sh\n[ \"$*\" = 'reload-or-restart signetd.service' ] && kill -HUP \(world.daemonPid)\n"
    try world.addProgram("systemctl", systemctl)
  }

  private func play(_ variables: String) throws -> (status: Int32, screen: String) {
    let words = ["ansible-playbook", "-i", "localhost,", "-c", "local", "-e", variables, "/run/fleet.yml"]
    let terminal = try world.run(words)
    try terminal.readToEnd()
    return (try terminal.waitForExit(), terminal.screen)
  }

  @Test func `the playbook sets, takes over, locks and reports, and the second time changes nothing`() throws {
    let first = try play(#"{"signet_users": ["finger", "mallory"], "signet_lock": ["finger"]}"#)
    #expect(first.status == 0, "\(first.screen)")
    #expect(first.screen.contains(#""msg": "mallory has no finger: signet enroll""#))
    #expect(!first.screen.contains("finger has no finger"))
    let status = try output(["signet", "status", "--user", "finger", "--json"])
    #expect(status.contains(#""limit" : 3"#) && status.contains(#""lock" : "requested""#), "\(status)")
    let second = try play(#"{"signet_users": ["finger", "mallory"]}"#)
    #expect(second.status == 0 && second.screen.contains(" changed=0 "), "\(second.screen)")
  }

  @Test func `settings that are none change nothing, and a fault that doctor finds fails the machine, with its words`() throws {
    let before = try output(["signet", "check-config"])
    try world.edit("/run/fleet.yml") { $0.replacing("strikes = 3", with: "strikes = many") }
    let refused = try play("{}")
    #expect(refused.status == 2 && refused.screen.contains("strikes"), "\(refused.screen)")
    #expect(try output(["signet", "check-config"]) == before)
    try world.edit("/run/fleet.yml") { $0.replacing("strikes = many", with: "strikes = 3") }
    #expect(try world.run(["chmod", "777", "/var/lib/signet"]).waitForExit() == 0)
    let fault = try play("{}")
    #expect(fault.status == 2 && fault.screen.contains("/var/lib/signet"), "\(fault.screen)")
  }

  private func output(_ words: [String]) throws -> String {
    let terminal = try world.run(words)
    try terminal.readToEnd()
    _ = try terminal.waitForExit()
    return terminal.screen
  }
}
