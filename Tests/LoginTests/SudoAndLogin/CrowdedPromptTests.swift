import Glibc
import SignetTestKit
import Testing

/// Debian's real su, started by one user again and again until it has all the places that signetd gives it, and what is left for
/// everybody else.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `A user who fills all places` {
  private let world: World
  private let touch = "or enter your passcode: "

  init() throws {
    world = try World()
    try world.enroll()
  }

  private func run(_ words: [String], as user: String? = nil) throws -> (status: Int32, screen: String) {
    let terminal = try user.map { try world.run(words, as: $0) } ?? world.run(words)
    try terminal.readToEnd()
    return (try terminal.waitForExit(), terminal.screen)
  }

  private func expectDone(_ words: String..., as user: String? = nil) throws {
    let end = try run(words, as: user)
    #expect(end.status == 0, "\(words): \(end.screen)")
  }

  /// Locked, so that mallory's su asks for the passcode at once and sits there.
  private func lockMallory() throws {
    try world.enroll("left-thumb", as: "mallory's", user: "mallory")
    try expectDone("signet", "lock", as: "mallory")
  }

  @Test func `64 prompts of one user hold sixteen places, and nobody else's`() throws {
    try lockMallory()
    var sitting: [PseudoTerminal] = []
    for _ in 0..<16 {
      sitting.append(try world.run(["su", "mallory"], as: "mallory"))
      try sitting.last?.read(until: "Password: ")
    }
    // The others end without a prompt, neither signetd's nor one that nobody counts behind it.
    let others = try (0..<48).map { _ in try world.run(["su", "finger"], as: "mallory") }
    for other in others {
      try other.readToEnd()
      #expect(try other.waitForExit() != 0)
      #expect(other.screen.contains("Too many of your prompts are open"), "\(other.screen)")
      #expect(!other.screen.contains("assword"), "\(other.screen)")
    }

    try expectDone("signet", "lock", as: World.user)
    try expectDone("signet", "reset", World.user)
    try expectDone("signet", "suspend")
    try expectDone("signet", "resume")
    try expectDone("signet", "lock", as: "mallory")
    let list = try run(["signet", "list"], as: "mallory")
    #expect(list.status == 5 && list.screen.contains("too many of your own requests are open"), "\(list.screen)")

    // The owner's own su and sudo are asked by signetd, which counts.
    let sudo = try world.sudo("id", "-un")
    try sudo.read(until: touch)
    try world.reader.scan("right")
    try sudo.readToEnd()
    #expect(try sudo.waitForExit() == 0)
    let su = try world.run(["su", World.user], as: World.user)
    try su.read(until: touch)
    try world.reader.scan("wrong")
    try su.read(until: "not recognised")
    su.type("\u{3}")
    try su.readToEnd()
    let login = try world.login()
    try login.read(until: touch)

    // A place that is given back is there again.
    sitting.removeLast()
    let next = try world.run(["su", "mallory"], as: "mallory")
    try next.read(until: "Password: ")
  }

  @Test func `while one user floods signetd forty locks of another all work, and the log has a line a minute`() throws {
    let flood = try (0..<4).map { _ in
      let program = try ReaderChannel.program("pam-host")
      let talker = try Talker(
        world.inside([program, "flood", "/run/signet/socket", "\(World.www)", "600"]), environment: HostRun.environment,
        talksOn: 1)
      try talker.line(with: "begun")
      return talker
    }
    for _ in 0..<40 { try expectDone("signet", "lock", as: World.user) }
    withExtendedLifetime(flood) {}
    let lines = world.logged.split(separator: "\n").filter { $0.contains("too many connections") }
    #expect((1...20).contains(lines.count), "\(lines.count) lines")
  }
}
