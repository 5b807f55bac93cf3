import Glibc
import SignetTestKit
import Testing

/// Debian's own keyrings, opened at login by the modules that Debian has for it.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"),
  .enabled(if: Desktop.isAvailable, "needs the packages that the Makefile lists as KEYRING_PACKAGES"))
struct `The keyrings of GNOME and KDE` {
  private let open = Desktop.Session(isLocked: false, secret: Desktop.storedSecret)
  private let locked = Desktop.Session(isLocked: true, secret: nil)

  @Test(arguments: Desktop.Keyring.allCases)
  func `a typed passcode opens the keyring`(keyring: Desktop.Keyring) throws {
    let desktop = try Desktop(keyring)
    #expect(try desktop.login(passcodes: [Desktop.passcode], stores: true).session == open)
    #expect(try desktop.login(passcodes: [Desktop.passcode]).session == open)
  }

  @Test(arguments: Desktop.Keyring.allCases)
  func `a finger alone leaves the keyring locked`(keyring: Desktop.Keyring) throws {
    let desktop = try Desktop(keyring)
    #expect(try desktop.login(passcodes: [Desktop.passcode], stores: true).session == open)
    try desktop.world.enroll()
    #expect(try desktop.login("right").session == locked)
  }
}
