import Glibc
import SignetTestKit
import Testing

/// Debian's own keyrings, opened at login by the modules that Debian has for it.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"),
  .enabled(if: Desktop.isAvailable, "needs the packages that the Makefile lists as KEYRING_PACKAGES"))
struct `The keyrings of GNOME and KDE` {
  private let passcode = Desktop.passcode
  /// So that a second login needs no other session beside it.
  private static let staysOpen = "vault_close_with_session = no"

  /// With a finger and a keyring, both in use.
  private func desktop(_ keyring: Desktop.Keyring, _ configuration: String = "") throws -> Desktop {
    let desktop = try Desktop(keyring, configuration: `The keyrings of GNOME and KDE`.staysOpen, configuration)
    try desktop.world.enroll()
    let first = try desktop.login("wrong", "wrong", "wrong", passcodes: [passcode], doing: .store)
    #expect(first.session == .open)
    try desktop.world.awaitLog("vault made")
    return desktop
  }

  @Test(arguments: Desktop.Keyring.allCases)
  func `a typed password opens the keyring, as it does without Signet`(keyring: Desktop.Keyring) throws {
    let desktop = try Desktop(keyring)
    #expect(try desktop.login(passcodes: [passcode], doing: .store).session == .open)
    #expect(try desktop.login(passcodes: [passcode]).session == .open)
  }

  @Test(arguments: Desktop.Keyring.allCases)
  func `a finger opens the keyring with the login secret that was stored`(keyring: Desktop.Keyring) throws {
    let desktop = try desktop(keyring)
    #expect(try desktop.login("right").session == .locked)
    try desktop.store(loginSecret: passcode)
    #expect(try desktop.login("right").session == .open)
  }

  @Test(arguments: Desktop.Keyring.allCases)
  func `a passcode typed at login is kept where signet.conf says so, and then a finger opens the keyring`(
    keyring: Desktop.Keyring
  ) throws {
    let desktop = try desktop(keyring, "release_authtok = yes")
    try desktop.world.awaitLog("login secret stored")
    #expect(try desktop.login("right").session == .open)
  }

  @Test(arguments: Desktop.Keyring.allCases)
  func `with a wrong login secret the keyring stays locked, and the login succeeds`(keyring: Desktop.Keyring) throws {
    let desktop = try desktop(keyring)
    try desktop.store(loginSecret: passcode + "s")
    #expect(try desktop.login("right").session == .locked)
  }

  @Test func `at a service that is not listed a finger leaves the keyring locked`() throws {
    let desktop = try desktop(.gnome, "release_authtok = yes")
    try desktop.world.awaitLog("login secret stored")
    #expect(try desktop.login("right", service: "kiosk").session == .locked)
    #expect(try desktop.login("right").session == .open)
  }

  @Test(arguments: Desktop.Keyring.allCases)
  func `another finger ends the login secret, and the passcode opens the keyring until it is kept anew`(
    keyring: Desktop.Keyring
  ) throws {
    let desktop = try desktop(keyring, "release_authtok = yes")
    try desktop.world.awaitLog("login secret stored")
    try desktop.world.enroll("left-thumb", as: "left")
    let login = try desktop.login(passcodes: [passcode])
    #expect(login.texts.contains { $0.contains("the enrolled fingers changed") })
    #expect(login.session == .open)
    try desktop.world.awaitLog("login secret stored", times: 2)
    // This reader compares with one finger at a time, and none has matched yet: this is the first.
    #expect(try desktop.login("left").session == .open)
  }

  @Test func `passwd changes keyring, vault and login secret alike`() throws {
    let desktop = try desktop(.gnome, "release_authtok = yes")
    try desktop.world.awaitLog("login secret stored")
    let changed = try desktop.login("right", doing: .passwd("Xk93-new-horse"))
    #expect(changed.session == .open && changed.step("passwd")?.text == "0")
    #expect(try desktop.login("right").session == .open)
    #expect(try desktop.authtok(of: "lightdm", "right") == "Xk93-new-horse")
  }

  @Test(arguments: Desktop.Keyring.allCases)
  func `after root has set another passcode a finger opens the keyring, which still has the old one`(
    keyring: Desktop.Keyring
  ) throws {
    let desktop = try desktop(keyring)
    try desktop.store(loginSecret: passcode)
    try desktop.set(passcode: "Xk93-new-horse")
    #expect(try desktop.login("wrong", "wrong", "wrong", passcodes: ["Xk93-new-horse"]).session == .locked)
    #expect(try desktop.login("right").session == .open)
  }

  @Test func `after the last session has ended the passcode opens vault and keyring`() throws {
    let desktop = try Desktop(configuration: "release_authtok = yes")
    try desktop.world.enroll()
    #expect(try desktop.authtok(of: "lightdm", "wrong", "wrong", "wrong", passcodes: [passcode]) == passcode)
    try desktop.world.awaitLog("login secret stored")
    #expect(try desktop.login("right", doing: .store).session == .open)
    try desktop.world.awaitLog("vault closed")
    let login = try desktop.login(passcodes: [passcode])
    #expect(login.texts.contains { $0.contains("to open your vault") })
    #expect(login.session == .open)
  }

  @Test func `the login secret is for the services that are listed, where root runs them`() throws {
    let desktop = try Desktop(configuration: "release_authtok = yes")
    try desktop.world.enroll()
    // Typed elsewhere, it is not kept.
    #expect(try desktop.authtok(of: "terminal", "wrong", "wrong", "wrong", passcodes: [passcode]) == passcode)
    try desktop.world.awaitLog("vault made")
    #expect(try desktop.authtok(of: "lightdm", "right") == "")
    #expect(try desktop.authtok(of: "lightdm", "wrong", "wrong", "wrong", passcodes: [passcode]) == passcode)
    try desktop.world.awaitLog("login secret stored")
    #expect(try desktop.authtok(of: "lightdm", "right") == passcode)
    #expect(try desktop.authtok(of: "terminal", "right") == "")
    #expect(try desktop.authtok(of: "vlock", "right") == "")
    #expect(try desktop.authtokOfUser(at: "lightdm", "right") == "")
  }
}
