import Glibc
import SignetTestKit
import Testing

/// Debian's own modules.
@Suite struct SystemStackTests {
  /// Whether this process may have mounts of its own.
  static let canMount =
    geteuid() == 0 && (try? Program(["/usr/bin/unshare", "--mount", "/bin/true"]).waitForExit()) == 0

  private let process: PasscodeProcess
  init() throws { process = try PasscodeProcess() }

  @Test(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
  func `pam_matrix verifies its own passcodes`() throws {
    let passcodes = try process.write("passdb", "tester:right:signet-passcode\n")
    try process.write("signet-passcode", "auth required \(RunningDaemon.matrix) passdb=\(passcodes)\n")
    #expect(try process.check()?.outcome == .verified)
    #expect(try process.check(passcode: "wrong")?.outcome == .wrong)
    #expect(try process.check(user: "stranger")?.outcome == .wrong)
  }

  /// SHA-512 of "right" by crypt(3).
  private static let hash =
    "$6$signetsalt$Y6YQstWW7qVEhLDKYZNQCc4NvH3l9oKY1GYhKttZAGxtwywaqk5mvsJLLG1uGYEXfbItK/fRwaIMgcdPMvvlf1"

  /// signet-passcode where /etc/passwd and /etc/shadow are ours, in a mount namespace of its own.
  private func launcher() throws -> [String] {
    let users = try process.write(
      "passwd",
      """
      root:x:0:0:root:/root:/bin/sh
      tester:x:4242:4242::/nonexistent:/bin/sh
      locked:x:4243:4243::/nonexistent:/bin/sh
      blank:x:4244:4244::/nonexistent:/bin/sh

      """)
    let secrets = try process.write(
      "shadow",
      """
      root:*:19000:0:99999:7:::
      tester:\(SystemStackTests.hash):19000:0:99999:7:::
      locked:!\(SystemStackTests.hash):19000:0:99999:7:::
      blank::19000:0:99999:7:::

      """)
    let mount = "mount --bind \"$1\" /etc/passwd && mount --bind \"$2\" /etc/shadow && exec \"$3\""
    return ["/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", mount, "sh", users, secrets]
  }

  @Test(.enabled(if: canMount, "needs root and unshare(1), for a mount namespace with accounts of its own"))
  func `pam_unix verifies a local account`() throws {
    try process.write("signet-passcode", "auth required pam_unix.so\n")
    let launcher = try launcher()
    #expect(try process.check(launcher: launcher)?.outcome == .verified)
    #expect(try process.check(passcode: "wrong", launcher: launcher)?.outcome == .wrong)
    #expect(try process.check(user: "locked", launcher: launcher)?.outcome == .wrong)
    #expect(try process.check(user: "nobody-here", launcher: launcher)?.outcome == .wrong)
  }

  @Test(.enabled(if: canMount, "needs root and unshare(1), for a mount namespace with accounts of its own"))
  func `an account without a passcode proves nothing, whatever is typed`() throws {
    try process.write("signet-passcode", "auth required pam_unix.so nullok\n")
    let launcher = try launcher()
    #expect(try process.check(user: "blank", launcher: launcher)?.outcome == .notSet)
    #expect(try process.check(user: "blank", passcode: "", launcher: launcher)?.outcome == .notSet)
    #expect(try process.check(user: "tester", passcode: "", launcher: launcher)?.outcome == .wrong)
  }

  /// The examples of pam_faillock(8): the first without and with the call that it names as an option, and the second. Then Debian's
  /// common-auth with the lines that are usual in it.
  static let faillock = [
    """
    auth [success=1 default=bad] pam_unix.so
    auth [default=die] pam_faillock.so authfail DIR
    auth sufficient pam_faillock.so authsucc DIR
    auth required pam_deny.so
    """,
    """
    auth requisite pam_faillock.so preauth DIR
    auth [success=1 default=bad] pam_unix.so
    auth [default=die] pam_faillock.so authfail DIR
    auth sufficient pam_faillock.so authsucc DIR
    auth required pam_deny.so
    """,
    """
    auth required pam_faillock.so preauth DIR
    auth sufficient pam_unix.so
    auth [default=die] pam_faillock.so authfail DIR
    auth required pam_deny.so
    """,
    """
    auth requisite pam_faillock.so preauth DIR
    auth [success=2 default=ignore] pam_unix.so
    auth [default=die] pam_faillock.so authfail DIR
    auth requisite pam_deny.so
    auth required pam_permit.so
    auth required pam_faillock.so authsucc DIR
    """,
  ]

  @Test(.enabled(if: canMount, "needs root and unshare(1), for a mount namespace with accounts of its own"), arguments: faillock)
  func `behind pam_faillock a wrong passcode is a wrong one, and who is locked out unasked has entered none`(auth: String) throws
  {
    let tallies = try process.makeFolder("tallies")
    let lines = auth.replacing("DIR", with: "deny=3 silent dir=\(tallies)").replacing("unix.so", with: "unix.so nodelay")
    try process.write("signet-passcode", lines + "\n")
    let launcher = try launcher()
    #expect(try process.check(launcher: launcher)?.outcome == .verified)
    for _ in 1...3 { #expect(try process.check(passcode: "wrong", launcher: launcher)?.outcome == .wrong) }
    // pam_faillock has locked the account. Only a preauth that is requisite refuses before the passcode is asked for.
    let isAsked = !auth.contains("requisite pam_faillock.so preauth")
    #expect(try process.check(launcher: launcher)?.outcome == (isAsked ? .wrong : .unavailable))
  }

  /// The module of Debian's libpam-google-authenticator, and a secret of the test's own.
  private static let hasAuthenticator = access(LibPAM.module("pam_google_authenticator.so"), R_OK) == 0

  @Test(.enabled(if: canMount && hasAuthenticator, "needs root, unshare(1) and libpam-google-authenticator"))
  func `a one-time code behind the passcode makes no right passcode a wrong one`() throws {
    let secret = try process.write("secret", "JBSWY3DPEHPK3PXPJBSWY3DPEH\n\" TOTP_AUTH\n")
    let launcher = try launcher()
    let code = "pam_google_authenticator.so secret=\(secret) user=root nullok"
    let debian = """
      auth [success=1 default=ignore] pam_unix.so
      auth requisite pam_deny.so
      auth required pam_permit.so
      auth required \(code)

      """
    try process.write("signet-passcode", debian)
    #expect(try process.check(launcher: launcher)?.outcome == .asksMore)
    #expect(try process.check(passcode: "wrong", launcher: launcher)?.outcome == .wrong)
    // Who has no secret is not asked for a code.
    try process.write("signet-passcode", debian.replacing(secret, with: secret + "-of-nobody"))
    #expect(try process.check(launcher: launcher)?.outcome == .verified)
    // Before the passcode it is the one that gets it.
    try process.write("signet-passcode", "auth required \(code)\nauth required pam_unix.so\n")
    #expect(try process.check(launcher: launcher)?.outcome == .asksMore)
  }
}
