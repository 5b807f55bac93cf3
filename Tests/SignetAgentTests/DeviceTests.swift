import Glibc
import SignetTestKit
import Testing

/// Devices that make themselves known at a provider (RFC 7591).
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct DeviceTests {
  @Test(.enabled(if: access("/usr/bin/glewlwyd", X_OK) == 0, "needs glewlwyd"))
  func `a device has a key of its own where the provider takes one`() throws {
    let world = try AgentWorld(only: "glewlwyd")
    let issuer = try world.rig.fact("glewlwyd", "issuer")
    try world.openSession()
    let bound = try world.bind([issuer])
    #expect(bound.status == 0, "\(bound.screen)")
    #expect(try world.records().contains("deviceKey"))
    let login = try world.lockAndLogIn(at: issuer)
    #expect(login.status == 0, "\(login.screen)")
    #expect(try world.run("token", "--issuer", issuer).status == 0)
    let unbound = try world.run("unbind", issuer)
    #expect(unbound.status == 0 && !unbound.screen.contains("Erased here"), "\(unbound.screen)")
  }

  @Test func `where it takes none the device is registered without`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    let bound = try world.bind([issuer])
    #expect(bound.status == 0, "\(bound.screen)")
    #expect(try !world.records().contains("deviceKey"))
    #expect(try world.run("token", "--issuer", issuer).status == 0)
    #expect(try world.run("unbind", issuer).status == 0)
  }

  @Test func `of two machines that are bound to one account the end of one leaves the other`() throws {
    let pair = try TwoMachines()
    for machine in [pair.desk, pair.laptop] {
      try machine.openSession()
      let bound = try machine.bind([try pair.issuer])
      #expect(bound.status == 0, "\(bound.screen)")
    }
    #expect(try pair.desk.run("unbind", try pair.issuer).status == 0)
    // What it has in memory would be good for a while: now the provider is asked.
    let login = try pair.laptop.lockAndLogIn(at: try pair.issuer)
    #expect(login.status == 0, "\(login.screen)")
    #expect(try pair.laptop.run("token", "--issuer", try pair.issuer).status == 0)
  }

  @Test func `a machine without its cable says so, and goes on when it is plugged in`() throws {
    let pair = try TwoMachines()
    try pair.laptop.openSession()
    try pair.laptopNetwork.setCable("laptop", isIn: false)
    let offline = try pair.laptop.bind()
    #expect(offline.status == 5 && offline.screen.contains("192.0.2.1 cannot be reached"), "\(offline)")
    try pair.laptopNetwork.setCable("laptop", isIn: true)
    let bound = try pair.laptop.bind()
    #expect(bound.status == 0, "\(bound.screen)")
  }
}
