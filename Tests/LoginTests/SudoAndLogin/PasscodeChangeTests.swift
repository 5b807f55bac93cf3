import Glibc
import SignetTestKit
import Testing

/// Debian's real passwd and chpasswd, with Debian's own PAM files plus our profile, which stands behind pam_unix there.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `Debian's passwd and chpasswd` {
  private let world: World
  private let newPasscode = "Xk93-new-horse"
  private let opensWithNew = "Vault opens with the new passcode"
  private let staysClosed = "Vault stays closed: it has another passcode"
  private let opensWithOld = "old passcode only"

  init() throws { world = try World() }

  /// The user changes the passcode; what was seen.
  private func passwd(to new: String, again: String? = nil) throws -> (screen: String, status: Int32) {
    let terminal = try world.runAsUser(["passwd"])
    try terminal.read(until: "Current password: ")
    terminal.type(World.passcode + "\n")
    try terminal.read(until: "New password: ")
    terminal.type(new + "\n")
    try terminal.read(until: "Retype new password: ")
    terminal.type((again ?? new) + "\n")
    try terminal.readToEnd()
    return (terminal.screen, try terminal.waitForExit())
  }

  private func run(_ words: String...) throws -> (screen: String, status: Int32) {
    let terminal = try world.run(words)
    try terminal.readToEnd()
    return (terminal.screen, try terminal.waitForExit())
  }

  private func history() throws -> String { try run("signet", "history", "--user", World.user).screen }

  /// Closes the vault: no finger is taken until the passcode comes.
  private func lock() throws { #expect(try run("signet", "lock", World.user).status == 0) }

  /// sudo asks for the passcode, which opens the vault.
  private func enterPasscode() throws {
    let sudo = try world.sudo("id", "-un")
    try sudo.read(until: "password for")
    sudo.type(newPasscode + "\n")
    try sudo.readToEnd()
    #expect(sudo.screen.contains("root\r\n"))
  }

  @Test func `after passwd the new passcode opens the vault`() throws {
    try world.enrollWithVault()
    let change = try passwd(to: newPasscode)
    #expect(change.status == 0)
    #expect(change.screen.contains("password updated successfully"))
    #expect(!change.screen.contains("vault"))
    #expect(try history().contains(opensWithNew))
    try lock()
    try enterPasscode()
    #expect(!(try history().contains(staysClosed)))
  }

  @Test func `root's change of a closed vault's passcode stands, and the vault keeps the old one until it is recovered`() throws {
    try world.enrollWithVault()
    try lock()
    let change = try run("sh", "-c", "echo '\(World.user):\(newPasscode)' | chpasswd")
    #expect(change.status == 0)
    #expect(change.screen.contains(opensWithOld) && change.screen.contains("signet vault recover"))
    #expect(!(try history().contains(opensWithNew)))
    try lock()
    try enterPasscode()
    #expect(try history().contains(staysClosed))

    let recovery = try world.runAsUser(["signet", "vault", "recover"])
    try recovery.read(until: "Passcode: ")
    recovery.type(newPasscode + "\n")
    try recovery.read(until: "Old passcode: ")
    recovery.type(World.passcode + "\n")
    try recovery.readToEnd()
    #expect(try recovery.waitForExit() == 0)
    let before = try history().split(separator: staysClosed).count
    try lock()
    try enterPasscode()
    #expect(try history().split(separator: staysClosed).count == before)
  }

  @Test func `without signetd passwd changes the passcode, and says what may be missing`() throws {
    let change = try passwd(to: newPasscode)
    #expect(change.status == 0)
    #expect(change.screen.contains("password updated successfully"))
    #expect(change.screen.contains("signet vault recover"))
    let login = try world.login()
    try login.read(until: "Password: ")
    login.type(newPasscode + "\n")
    try login.read(until: "$ ")
  }

  @Test func `a stopped signetd does not hold passwd up`() throws {
    try world.enrollWithVault()
    world.stopDaemon()
    let change = try passwd(to: newPasscode)
    #expect(change.status == 0)
    #expect(change.screen.contains("password updated successfully") && change.screen.contains("signet vault recover"))
  }

  @Test func `a passcode that passwd did not take is not told to signetd, and nothing is said`() throws {
    try world.enrollWithVault()
    let change = try passwd(to: newPasscode, again: "another-horse-7")
    #expect(change.status != 0)
    #expect(change.screen.contains("password unchanged"))
    #expect(!change.screen.contains("vault"))
    #expect(!(try history().contains("passwd")))
  }

  @Test func `a user without a vault hears nothing of it`() throws {
    try world.enroll()
    let change = try passwd(to: newPasscode)
    #expect(change.status == 0)
    #expect(!change.screen.contains("vault"))
    #expect(!(try history().contains("passwd")))
  }
}
