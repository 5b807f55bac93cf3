import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// An agent belongs to one opening of the vault: what happens at its end, and what the next one finds.
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct OpeningTests {
  @Test func `of a lock the agent knows before it answers, however soon it is asked`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    for _ in 1...3 {
      #expect(try world.run("token", "--issuer", issuer).status == 0)
      try lock(world)
      let refused = try world.run("token", "--issuer", issuer)
      #expect(refused.status == 4 && refused.screen.contains("signet login"), "\(refused.screen)")
      // Closed and open again: the agent may have heard of neither.
      try world.scene.loginByPasscode(until: "unlocked")
      try lock(world)
      try world.scene.loginByPasscode(until: "unlocked")
      let terminal = try world.start(["login", issuer])
      try terminal.read(until: "Touch the reader")
      try world.scene.reader.scan("right")
      #expect(try world.end(terminal).status == 0)
    }
  }

  @Test func `out and in again ten times loses nothing, and no session gets a token of the one before`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    var tokens = [try world.run("token", "--issuer", issuer).screen]
    try world.closeSession()
    #expect(try world.agent.waitForExit() == 0)
    let agent = try ActivatedAgent(world)
    for _ in 1...10 {
      try world.scene.loginByPasscode(until: "vault opened")
      try world.openSession()
      let token = try world.run("token", "--issuer", issuer)
      #expect(token.status == 0 && !tokens.contains(token.screen), "\(token.screen)")
      tokens.append(token.screen)
      try world.closeSession()
      let refused = try world.run("token", "--issuer", issuer)
      #expect(refused.status == 6, "\(refused.screen)")
    }
    #expect(agent.program.isThere)
    withExtendedLifetime(agent) {}
  }

  @Test func `an agent that is killed leaves what the next one goes on with, and SIGTERM ends one at once`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    world.agent.signal(SIGTERM)
    #expect(try world.agent.waitForExit() == 0)
    for _ in 1...5 {
      let agent = try ActivatedAgent(world)
      let token = try world.run("token", "--issuer", issuer)
      #expect(token.status == 0, "\(token.screen)")
      agent.program.signal(SIGKILL)
      _ = try agent.program.waitForExit()
    }
  }

  @Test func `where the fingers have changed it is bound anew without being unbound`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    let again = try world.bind()
    #expect(again.status == 1 && again.screen.contains("is bound to"), "\(again.screen)")
    #expect(try world.scene.enroll(.leftThumb, as: "left").last == .done)
    let refused = try world.run("token", "--issuer", issuer)
    #expect(refused.status == 4 && refused.screen.contains("signet bind") && !refused.screen.contains("unbind"))
    let anew = try world.bind()
    #expect(anew.status == 0, "\(anew.screen)")
    #expect(try world.run("token", "--issuer", issuer).status == 0)
    let list = try world.run("bindings").screen
    #expect(list.components(separatedBy: issuer).count == 2, "\(list)")
  }

  private func lock(_ world: AgentWorld) throws {
    let client = try world.scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
  }
}

/// An agent as systemd starts it, with a socket: it stays when the last session ends.
final class ActivatedAgent {
  let program: Program

  init(_ world: AgentWorld) throws {
    let folder = world.scene.daemon.folder
    let path = folder + "/signet-agent"
    unlink(path)
    let activate = ["systemd-socket-activate", "--listen", path, "--setenv", "HOME=\(folder)"]
    program = try Program(
      activate + [
        try ReaderChannel.program("signet-agent"), "--socket", world.scene.daemon.socket, "--state", "\(folder)/bindings",
        "--trust", try world.rig.authority,
      ], environment: ["PATH=/usr/bin:/bin", "HOME=\(folder)"])
    try wait(for: path) { access(path, F_OK) == 0 }
  }

  deinit { program.signal(SIGKILL) }
}

extension Program {
  /// Whether it runs still.
  var isThere: Bool { pid > 0 && kill(pid, 0) == 0 }
}
