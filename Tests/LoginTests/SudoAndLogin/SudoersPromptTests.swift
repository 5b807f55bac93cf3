import Glibc
import SignetTestKit
import Testing

/// What sudoers(5) says of the prompt holds: sudo puts it itself then, and the passcode comes first.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct SudoersPromptTests {
  private let world: World

  init() throws {
    world = try World()
    try world.enroll()
  }

  private func set(_ defaults: String) throws {
    let terminal = try world.run(["sh", "-c", "echo 'Defaults \(defaults)' > /etc/sudoers.d/prompt"])
    guard try terminal.waitForExit() == 0 else { throw TestKitError("/etc/sudoers.d/prompt") }
  }

  /// sudo throws away what was typed before, and begins a moment after its prompt to take key by key.
  private func awaitListening(_ terminal: PseudoTerminal) throws {
    try terminal.wait { $0.settings.c_lflag & tcflag_t(ICANON) == 0 }
  }

  @Test func `with pwfeedback sudo shows its asterisks, and an empty answer asks for the finger`() throws {
    try set("pwfeedback")
    let typed = try world.sudo("id", "-u")
    try typed.read(until: "[sudo] password for \(World.user): ")
    try awaitListening(typed)
    typed.type(World.passcode)
    try typed.read(until: String(repeating: "*", count: World.passcode.count))
    typed.type("\n")
    try typed.readToEnd()
    #expect(try typed.waitForExit() == 0)
    let touched = try world.sudo("id", "-u")
    try touched.read(until: "[sudo] password for \(World.user): ")
    try awaitListening(touched)
    touched.type("\n")
    try touched.read(until: "Swipe your finger")
    try world.reader.scan("right")
    try touched.readToEnd()
    #expect(try touched.waitForExit() == 0)
  }

  @Test func `with passwd_timeout sudo gives up by itself`() throws {
    try set("passwd_timeout=0.02")
    let sudo = try world.sudo("id", "-u")
    try sudo.read(until: "[sudo] password for \(World.user): ")
    try sudo.read(until: "timed out reading password")
    try sudo.readToEnd()
    #expect(try sudo.waitForExit() == 1)
  }
}
