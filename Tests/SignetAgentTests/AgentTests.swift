import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A device that is bound to an account, from the first sign-in to the last: the real signetd, signet-agent and `signet`, and
/// django-oauth-toolkit as provider.
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct AgentTests {
  /// A user with a finger, an agent, a provider and a browser.
  private final class World {
    let scene: Scene
    let rig: ProviderRig
    private let agent: Program
    private var session: KeyedSession?

    init() throws {
      scene = try Scene(.storage)
      try scene.loginByPasscode(until: "vault made")
      let folder = scene.daemon.folder
      rig = try ProviderRig(only: "django", in: folder)
      try rig.writeBrowser(to: folder)
      agent = try Program(
        [
          try ReaderChannel.program("signet-agent"), "--listen", "\(folder)/agent", "--socket", scene.daemon.socket, "--state",
          "\(folder)/bindings", "--trust", try rig.authority,
        ], environment: ["PATH=/usr/bin:/bin", "HOME=\(folder)"])
    }

    deinit { session?.end() }

    var issuer: String { get throws { try rig.fact("django", "issuer") } }

    /// A login by finger at the seat. Its token is what commands in the session have.
    func openSession() throws {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user, service: "login")
      try client.awaitArmed()
      try scene.reader.scan("right")
      guard case .verdict(.success, _, let token) = try client.next() else { throw TestKitError("no login") }
      session?.end()
      let opened = try KeyedSession(token: token.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
      session = opened
      let host = try scene.daemon.connect()
      try host.openSession(token: token, key: opened.key)
      guard try host.nextAdministration() == .done else { throw TestKitError("no session") }
    }

    /// `signet` on a terminal, in the session.
    func start(_ words: [String]) throws -> PseudoTerminal {
      guard let session else {
        return try SessionKeyring.with(token: String(repeating: "0", count: 64)) { _ in try self.begin(words) }
      }
      return try session.run { try self.begin(words) }
    }

    func run(_ words: String...) throws -> (status: Int32, screen: String) { try end(try start(words)) }

    private func begin(_ words: [String]) throws -> PseudoTerminal {
      let folder = scene.daemon.folder
      let socket = ["token", "bindings", "login", "unbind"].contains(words[0]) ? [] : ["--socket", scene.daemon.socket]
      return try PseudoTerminal(
        [try ReaderChannel.program("signet")] + words + ["--agent", "\(folder)/agent"] + socket,
        environment: ["PATH=\(folder):/usr/bin:/bin", "TERM=dumb", "BROWSER=xdg-open", "HOME=\(folder)"])
    }

    func end(_ terminal: PseudoTerminal) throws -> (status: Int32, screen: String) {
      do { try terminal.read(until: "\u{0}never") } catch {}
      let status: Int32
      do { status = try terminal.waitForExit() } catch {
        let log = (try? String(contentsOfFile: "\(scene.daemon.folder)/browser.log", encoding: .utf8)) ?? "no browser"
        throw TestKitError("\(error)\n\(terminal.screen)\n\(log)\n\(scene.daemon.loggedSoFar)")
      }
      try terminal.readToEnd()
      return (status, terminal.screen)
    }

    func bind() throws -> (status: Int32, screen: String) {
      let terminal = try start(
        ["bind", try issuer, "--client-id", try rig.fact("django", "clients", "native", "id"), "--scope", "openid"])
      try terminal.read(until: "fingerprint reader")
      try scene.reader.scan("right")
      return try end(terminal)
    }
  }

  @Test func `a device is bound once, and has tokens from then on until it is unbound`() throws {
    let world = try World()
    let issuer = try world.issuer
    try world.openSession()
    let before = try world.run("token", "--issuer", issuer)
    #expect(before.status == 1 && before.screen.contains("is not bound"))
    let bound = try world.bind()
    #expect(bound.status == 0, "\(bound.screen)")
    let token = try world.run("token", "--issuer", issuer)
    #expect(token.status == 0 && token.screen.count > 20, "\(token.screen)")
    let list = try world.run("bindings")
    #expect(list.screen.contains(issuer) && list.screen.contains("yes"), "\(list.screen)")
    let unbound = try world.run("unbind", issuer)
    #expect(unbound.status == 0, "\(unbound.screen)")
    let after = try world.run("token", "--issuer", issuer)
    #expect(after.status == 1 && after.screen.contains("is not bound"))
  }

  @Test func `outside of a session the agent says nothing`() throws {
    let world = try World()
    let list = try world.run("bindings")
    #expect(list.status == 6 && list.screen.contains("no session"), "\(list.screen)")
  }

  @Test func `after a lock nothing is to be had until the passcode and a finger`() throws {
    let world = try World()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    let client = try world.scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
    try world.scene.loginByPasscode(until: "unlocked")
    let refused = try world.run("token", "--issuer", issuer)
    #expect(refused.status == 4 && refused.screen.contains("signet login"), "\(refused.screen)")
    let terminal = try world.start(["login", issuer])
    try terminal.read(until: "Touch the reader")
    try world.scene.reader.scan("right")
    let login = try world.end(terminal)
    #expect(login.status == 0, "\(login.screen)")
    #expect(try world.run("token", "--issuer", issuer).status == 0)
  }

  @Test func `after a finger was added only binding anew helps`() throws {
    let world = try World()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    #expect(try world.scene.enroll(.leftThumb, as: "left").last == .done)
    let refused = try world.run("token", "--issuer", issuer)
    #expect(refused.status == 4 && refused.screen.contains("unbind"), "\(refused.screen)")
    #expect(try world.run("unbind", issuer).status == 0)
    let anew = try world.bind()
    #expect(anew.status == 0, "\(anew.screen)")
    #expect(try world.run("token", "--issuer", issuer).status == 0)
  }
}
