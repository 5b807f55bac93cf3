import Glibc
import SignetTestKit
import Testing

/// The worst that can become of a refresh, at providers that nobody here wrote. Both take a refresh token once, and end the sign-in
/// where it comes again: of each fault, what is kept, what is said, and what helps. FaultTests of SignetAuth have all of them.
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct ProviderFaultTests {
  static let all = ["django"] + (access("/usr/bin/glewlwyd", X_OK) == 0 ? ["glewlwyd"] : [])

  private typealias Answer = (status: Int32, screen: String)

  private func expectToken(_ provider: FaultyProvider) throws {
    let token = try provider.token()
    #expect(token.status == 0, "\(token.screen)")
  }

  /// That binding alone helps, is said, and does.
  private func expectMendedByBinding(_ provider: FaultyProvider) throws {
    let refused = try provider.token()
    #expect(refused.status == 4 && refused.screen.contains("signet bind \(provider.issuer)"), "\(refused)")
    #expect(!refused.screen.contains("unbind"), "\(refused)")
    try provider.bind()
    try expectToken(provider)
  }

  @Test(arguments: all)
  func `an answer that was cut off is lost where a token is good once, and binding helps`(name: String) throws {
    let provider = try FaultyProvider(name)
    try provider.make("cut")
    try provider.endAgent()
    let cut = try provider.token()
    #expect(cut.status == 5 && cut.screen.contains("cannot be reached"), "\(cut)")
    try provider.mend()
    try expectMendedByBinding(provider)
  }

  @Test(arguments: all)
  func `an agent that is killed loses what was given and did not arrive, and nothing before it was given`(name: String) throws {
    let provider = try FaultyProvider(name)
    for fault in ["unheard", "held"] {
      try provider.make(fault)
      try provider.endAgent()
      let asking = try provider.startToken()
      try provider.awaitMeeting(fault)
      provider.world.agent.signal(SIGKILL)
      #expect(try provider.world.end(asking).status != 0)
      try provider.mend()
      try provider.world.startAgentAnew()
      if fault == "unheard" { try expectToken(provider) }
    }
    try expectMendedByBinding(provider)
  }

  @Test(arguments: all) func `what comes when the vault has been closed is there at its next opening`(name: String) throws {
    let provider = try FaultyProvider(name)
    try provider.make("held")
    try provider.endAgent()
    let asking = try provider.startToken()
    try provider.awaitMeeting("held")
    try lock(provider.world)
    // With each request the agent looks how the vault stands: from here on it knows of the lock.
    #expect(try provider.world.run("bindings").status == 0)
    try provider.mend()
    let refused = try provider.world.end(asking)
    #expect(refused.status == 4 && refused.screen.contains("signet login"), "\(refused)")
    try wait(for: "what was given to be handed over") { try provider.hasHandover }
    // Whoever has the file only has nothing.
    try provider.endAgent(by: SIGKILL)
    #expect(try provider.token().status == 4)
    try provider.world.scene.loginByPasscode(until: "unlocked")
    for _ in 1...2 {
      let login = try signIn(provider)
      #expect(login.status == 0, "\(login.screen)")
      try expectToken(provider)
      #expect(try !provider.hasHandover)
      try provider.endAgent()
    }
  }

  @Test(arguments: all) func `what comes when the disk has filled up is there when it has room again`(name: String) throws {
    let provider = try FaultyProvider(name)
    try provider.make("held")
    try provider.endAgent()
    let asking = try provider.startToken()
    try provider.awaitMeeting("held")
    try provider.world.scene.fillDisk()
    try provider.mend()
    let given = try provider.world.end(asking)
    #expect(given.status == 0, "\(given)")
    #expect(try provider.hasHandover)
    // Nothing is asked for that could not be kept.
    try provider.endAgent()
    let full = try provider.token()
    #expect(full.status != 0 && full.screen.contains("vault cannot be asked"), "\(full)")
    try provider.world.scene.emptyFiller()
    try expectToken(provider)
    #expect(try !provider.hasHandover)
    try provider.endAgent()
    try expectToken(provider)
  }

  /// glewlwyd gives no ID token at a refresh, and nothing that depends on a clock or a key.
  @Test func `a token that the clock makes invalid costs nothing`() throws {
    let provider = try FaultyProvider("django")
    let clocks = try FalseClocks(in: provider.world.scene.daemon.folder)
    provider.world.agentLauncher = clocks.launcher
    for seconds in [600, -600] {
      try clocks.set(wall: seconds)
      try provider.endAgent()
      let refused = try provider.token()
      #expect(refused.status == 1 && refused.screen.contains("is refused"), "\(refused)")
      try clocks.set(wall: 0)
      try expectToken(provider)
    }
  }

  @Test func `a token of a new key costs nothing where the keys cannot be had`() throws {
    let provider = try FaultyProvider("django")
    let clocks = try FalseClocks(in: provider.world.scene.daemon.folder)
    provider.world.agentLauncher = clocks.launcher
    try clocks.set(wall: 0)
    try provider.endAgent()
    try expectToken(provider)
    let url = try provider.world.rig.fact("django", "url")
    let turned = try provider.world.shell("curl -s --cacert \(provider.world.rig.authority) -X POST \(url)/next-key/")
    #expect(turned.status == 0 && turned.text == "{}", "\(turned.text)")
    try provider.make("unavailable", at: "/jwks.json")
    // The keys are fetched anew after half a minute at the soonest.
    try clocks.set(wall: 45)
    let refused = try provider.world.lockAndLogIn(at: provider.issuer)
    #expect(refused.status != 0 && refused.screen.contains("status 503"), "\(refused)")
    try provider.mend()
    try expectToken(provider)
  }

  private func lock(_ world: AgentWorld) throws {
    let client = try world.scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
  }

  private func signIn(_ provider: FaultyProvider) throws -> Answer {
    let terminal = try provider.world.start(["login", provider.issuer])
    try terminal.read(until: "Touch the reader")
    try provider.world.scene.reader.scan("right")
    return try provider.world.end(terminal)
  }
}
