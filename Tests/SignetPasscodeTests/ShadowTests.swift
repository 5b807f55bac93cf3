import Glibc
import SignetTestKit
import SignetWire
import Testing

/// Whether a user has a passcode, by a shadow(5) of the test's own in a mount namespace.
@Suite(.enabled(if: geteuid() == 0, "only root can make a mount namespace with a shadow of its own"))
struct ShadowTests {
  private let process: PasscodeProcess

  init() throws {
    process = try PasscodeProcess()
    let fields = [
      "set": "$y$j9T$salt$hash", "locked": "!$y$j9T$salt$hash", "disabled": "!", "system": "*", "starred": "*LK*", "empty": "",
    ]
    try process.write("shadow", fields.map { "\($0):\($1):20000:0:99999:7:::\n" }.joined())
  }

  private func outcome(of user: String) throws -> PasscodeAnswer.Outcome? {
    let mount = "mount --bind \(process.confdir)/shadow /etc/shadow && exec \"$@\""
    let launcher = ["unshare", "-m", "sh", "-c", mount, "sh"]
    return try process.ask(about: user, launcher: launcher)?.outcome
  }

  @Test(arguments: ["locked", "disabled", "system", "starred", "empty"])
  func `who has no passcode, or a locked one, has none`(user: String) throws {
    #expect(try outcome(of: user) == .notSet)
  }

  @Test(arguments: ["set", "of-a-directory", "set:", "", "a/b"])
  func `who has one has one, and of whoever is not in there nothing is known`(user: String) throws {
    #expect(try outcome(of: user) == .isSet)
  }
}
