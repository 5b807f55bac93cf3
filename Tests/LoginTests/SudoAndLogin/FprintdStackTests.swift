import Glibc
import SignetTestKit
import Testing

/// Debian's real sudo, with the stack that libpam-fprintd makes of it, and Signet's module under the name in it.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct FprintdStackTests {
  private let world: World
  private let touch = "the fingerprint reader"

  init() throws {
    world = try World()
    let module = try ReaderChannel.program("libpam_fprintd.so")
    let profile = """
      Name: fprintd
      Default: yes
      Priority: 260
      Auth-Type: Primary
      Auth:
      \t[success=end default=ignore]\tpam_fprintd.so max-tries=1 timeout=10
      """
    let line = """
      install -m 644 \(module) $(dirname /lib/*/security/pam_unix.so)/pam_fprintd.so
      printf '%s\\n' '\(profile)' > /usr/share/pam-configs/fprintd
      pam-auth-update --package --force --disable signet --enable fprintd
      grep -q 'pam_fprintd.so max-tries=1' /etc/pam.d/common-auth
      """
    guard try world.run(["sh", "-euc", line]).waitForExit() == 0 else { throw TestKitError("no profile of fprintd's") }
    try world.enroll()
  }

  private func sudo(_ finger: String) throws -> PseudoTerminal {
    let terminal = try world.sudo("id", "-un")
    try terminal.read(until: touch)
    try world.reader.scan(finger)
    return terminal
  }

  private func expectPassword(_ terminal: PseudoTerminal) throws {
    try terminal.read(until: "password for")
    terminal.type(World.passcode + "\n")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("root\r\n"))
  }

  @Test func `sudo takes the finger, and after a miss the password`() throws {
    let match = try sudo("right")
    try match.readToEnd()
    #expect(try match.waitForExit() == 0)
    #expect(match.screen.contains("root\r\n") && !match.screen.contains("password for"))
    let miss = try sudo("wrong")
    try expectPassword(miss)
    #expect(miss.screen.contains("not recognised"))
  }

  @Test func `after five misses it says so and asks for the password at once`() throws {
    for _ in 1...5 { try expectPassword(sudo("wrong")) }
    let locked = try world.sudo("id", "-un")
    try expectPassword(locked)
    #expect(locked.screen.contains("Fingerprints are locked after too many attempts"))
    #expect(!locked.screen.contains(touch))
  }
}
