import Glibc
import SignetTestKit
import Testing

/// A new user's first hour, and the next day, as README has it: enroll, bind, push; log in by finger, push.
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct FirstHourTests {
  @Test func `a new user enrolls, binds and pushes, and the next day logs in by finger and pushes`() throws {
    let user = try NewUser()
    try user.enroll()
    try user.world.openSession()
    let bound = try user.bind()
    #expect(bound.status == 0 && bound.screen.contains("From now on your finger signs in"), "\(bound.screen)")
    try user.configureGit()
    let first = try user.push("first")
    #expect(first.status == 0, "\(first.text)")

    try user.world.closeSession()
    // The agent ends with the session by itself.
    try user.world.startAgentAnew()
    try user.world.openSession()
    // The vault was closed with the last session, and a finger alone does not open it.
    let early = try user.push("early")
    #expect(early.status != 0 && early.text.contains("signet login \(user.issuer)"), "\(early.text)")
    let terminal = try user.world.start(["login", user.issuer])
    try terminal.read(until: "asscode")
    terminal.type(RunningDaemon.passcode + "\n")
    // The finger that logged in just now releases what the passcode has made accessible again.
    let login = try user.world.end(terminal)
    #expect(login.status == 0 && login.screen.contains("Signed in at"), "\(login.screen)")
    let second = try user.push("second")
    #expect(second.status == 0, "\(second.text)")
  }

  @Test func `where the vault outlives the session, the next day's login by finger is all that a push needs`() throws {
    let user = try NewUser(configuration: "vault_close_with_session = no\n")
    try user.enroll()
    try user.world.openSession()
    #expect(try user.bind().status == 0)
    try user.configureGit()
    try user.world.closeSession()
    // As the user's systemd does after the last session.
    kill(user.world.agent.pid, SIGTERM)
    try user.world.startAgentAnew()
    try user.world.openSession()
    let pushed = try user.push("next day")
    #expect(pushed.status == 0, "\(pushed.text)")
  }

  @Test func `where nobody gives the passcode nothing is registered at the provider`() throws {
    let user = try NewUser()
    try user.enroll()
    try user.world.openSession()
    let terminal = try user.world.start(["bind", user.issuer])
    try terminal.read(until: "fingerprint reader")
    try user.touch()
    try terminal.read(until: "asscode")
    terminal.type("\n")
    let refused = try user.world.end(terminal)
    #expect(refused.status == 1, "\(refused.screen)")
    #expect(!refused.screen.contains("Sign in with your browser"))
    let bound = try user.bind()
    #expect(bound.status == 0, "\(bound.screen)")
  }
}

/// Somebody who has neither finger nor vault yet, with a provider and a server for git.
private struct NewUser {
  let world: AgentWorld
  let issuer: String

  init(configuration: String = "") throws {
    world = try AgentWorld(only: "django,services", isNew: true, configuration: configuration)
    issuer = try world.issuer
  }

  func enroll() throws {
    let terminal = try world.start(["enroll", "right-index-finger"])
    try terminal.read(until: "fingerprint reader")
    try world.scene.reader.scan("right")
    for stage in 1..<5 {
      try terminal.read(until: "\(stage) of 5")
      try world.scene.reader.scan("right")
    }
    let enrolled = try world.end(terminal)
    #expect(enrolled.status == 0, "\(enrolled.screen)")
  }

  func touch() throws { try world.scene.reader.scan("right") }

  func bind() throws -> (status: Int32, screen: String) {
    let terminal = try world.start(["bind", issuer])
    try terminal.read(until: "fingerprint reader")
    try touch()
    try terminal.read(until: "asscode")
    terminal.type(RunningDaemon.passcode + "\n")
    try terminal.read(until: "[y/N]")
    terminal.type("y\n")
    return try world.end(terminal)
  }

  /// As README has it, with the test's authority.
  func configureGit() throws {
    let server = try world.rig.fact("services", "host")
    let helper = "\(try ReaderChannel.program("signet-credential")) git --server \(server) --issuer \(issuer)"
    let folder = world.scene.daemon.folder
    let done = try world.shell(
      """
      set -e
      git config --global credential.https://\(server).helper '\(helper)'
      git config --global http.sslCAInfo \(try world.rig.authority)
      git config --global user.name Somebody; git config --global user.email somebody@example.org
      git clone -q \(try world.rig.fact("services", "url"))/git/project.git \(folder)/project
      """)
    #expect(done.status == 0, "\(done.text)")
  }

  func push(_ subject: String) throws -> (status: Int32, text: String) {
    try world.shell(
      "cd \(world.scene.daemon.folder)/project && git commit -q --allow-empty -m '\(subject)' && git push -q origin HEAD:main")
  }
}
