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
  @Test func `a device is bound once, and has tokens from then on until it is unbound`() throws {
    let world = try AgentWorld()
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
    #expect(!world.gaveKeysAway)
  }

  @Test func `the browser is opened with a file of the owner's, which names the page to nobody else`() throws {
    let world = try AgentWorld()
    try world.openSession()
    let bound = try world.bind()
    let page = try #require(bound.screen.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://127.0.0.1:") })
    let seen = try RawFile.text("\(world.scene.daemon.folder)/browser.words").split(separator: "\n")
    #expect(seen.count == 2 && seen[0].hasPrefix(world.scene.daemon.folder) && seen[1] == "600 \(geteuid())", "\(seen)")
    #expect(!seen[0].contains(page.split(separator: "/").last ?? "") && access(String(seen[0]), F_OK) != 0)
  }

  @Test func `an account that the owner does not mean is not kept`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    let client = try world.rig.fact("django", "clients", "native", "id")
    try world.openSession()
    let scopes = ["--scope", "openid", "--scope", "profile"]
    let refused = try world.bind([issuer, "--client-id", client] + scopes, answer: "n")
    #expect(refused.screen.contains("You signed in as alice (1)"), "\(refused.screen)")
    #expect(refused.status == 1 && refused.screen.contains("Nothing of this sign-in"), "\(refused.screen)")
    #expect(try world.run("token", "--issuer", issuer).screen.contains("is not bound"))
    #expect(try world.run("bindings").screen.contains("No account is bound"))
    #expect(try world.bind([issuer, "--client-id", client]).status == 0)
  }

  @Test func `where the provider names nobody that is said, and not the owner's own name for the account`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    let client = try world.rig.fact("django", "clients", "native", "id")
    try world.openSession()
    let bound = try world.bind([issuer, "--client-id", client, "--scope", "profile", "--account", "work"])
    #expect(bound.status == 0 && bound.screen.contains("does not say as whom"), "\(bound.screen)")
    #expect(try world.run("bindings").screen.contains("(not named)"))
    #expect(try world.run("bindings", "--json").screen.contains(#""user" : """#))
  }

  @Test func `outside of a session the agent says nothing`() throws {
    let world = try AgentWorld()
    let list = try world.run("bindings")
    #expect(list.status == 6 && list.screen.contains("no session"), "\(list.screen)")
  }

  @Test func `after a lock nothing is to be had until the passcode and a finger`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    let client = try world.scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
    try world.awaitRefusal(of: ["token", "--issuer", issuer], "signet login")
    let login = try world.lockAndLogIn(at: issuer)
    #expect(login.status == 0, "\(login.screen)")
    #expect(try world.run("token", "--issuer", issuer).status == 0)
  }

  @Test func `after a finger was added only binding anew helps`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    #expect(try world.scene.enroll(.leftThumb, as: "left").last == .done)
    let refused = try world.run("token", "--issuer", issuer)
    #expect(refused.status == 4 && refused.screen.contains("signet bind"), "\(refused.screen)")
    #expect(try world.run("unbind", issuer).status == 0)
    let anew = try world.bind()
    #expect(anew.status == 0, "\(anew.screen)")
    #expect(try world.run("token", "--issuer", issuer).status == 0)
  }

  @Test func `five misses forget the tokens, until the passcode and a finger`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    try world.missThrice()
    try world.missThrice()
    try world.awaitRefusal(of: ["token", "--issuer", issuer], "signet login")
    try world.scene.loginByPasscode(until: "unlocked")
    let refused = try world.run("token", "--issuer", issuer)
    #expect(refused.status == 4 && refused.screen.contains("signet login"), "\(refused.screen)")
    let terminal = try world.start(["login", issuer])
    try terminal.read(until: "Touch the reader")
    try world.scene.reader.scan("right")
    #expect(try world.end(terminal).status == 0)
    #expect(try world.run("token", "--issuer", issuer).status == 0)
  }

  @Test func `after logout nothing is to be had, and the agent ends`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    // The agent has looked for sessions before there is one.
    #expect(try world.run("bindings").status == 6)
    try world.openSession()
    let bound = try world.bind()
    #expect(bound.status == 0, "\(bound.screen) \(world.scene.daemon.loggedSoFar)")
    try world.closeSession()
    // By itself: whoever asks meanwhile may be told so, or that there is no session.
    #expect(try world.agent.waitForExit() == 0)
    let refused = try world.run("token", "--issuer", issuer)
    #expect(refused.status == 6 || refused.status == 3, "\(refused.status) \(refused.screen)")
  }

  @Test func `a provider that is down is told of the end later, and nothing is left here`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    kill(try world.rig.pid(of: "django"), SIGKILL)
    #expect(try world.run("token", "--issuer", issuer).status == 0)
    let unbound = try world.run("unbind", issuer)
    #expect(unbound.status == 0 && unbound.screen.contains("as soon as it can be reached"), "\(unbound.screen)")
    let after = try world.run("token", "--issuer", issuer)
    #expect(after.status == 1 && after.screen.contains("is not bound"), "\(after.screen)")
    let list = try world.run("bindings")
    #expect(list.status == 0 && list.screen.contains("No account is bound"), "\(list.screen)")
  }

  @Test func `of several accounts one has to be named`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind(account: "work").status == 0)
    #expect(try world.bind(account: "home").status == 0)
    let again = try world.bind(account: "home")
    #expect(again.status == 1 && again.screen.contains("is bound to"), "\(again.screen)")
    let unnamed = try world.run("token", "--issuer", issuer)
    #expect(unnamed.status == 1 && unnamed.screen.contains("work, home"), "\(unnamed.screen)")
    let tokens = try ["work", "home"].map { try world.run("token", "--issuer", issuer, "--account", $0) }
    #expect(tokens[0].status == 0 && tokens[1].status == 0 && tokens[0].screen != tokens[1].screen)
    #expect(try world.run("unbind", issuer, "--account", "work").status == 0)
    let left = try world.run("token", "--issuer", issuer)
    #expect(left.status == 0 && left.screen == tokens[1].screen, "\(left.screen)")
  }

  @Test func `what signs in is released to the agent alone`() throws {
    let world = try AgentWorld()
    try world.openSession()
    #expect(try world.bind().status == 0)
    let client = try world.scene.daemon.connect()
    try client.openContext()
    let name = ItemName(kind: .binding, service: "refresh \(try world.issuer)", account: "")
    #expect(try client.ask(.read(user: "", name, mayInteract: false)).end == .refused(.interactionNotAllowed))
  }
}
