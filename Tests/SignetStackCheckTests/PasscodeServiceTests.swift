import SignetStackCheck
import Testing

/// The service that checks passcodes for signetd. It must exist, ask for the passcode although pam_signet.so in it answers
/// PAM_IGNORE, and ask exactly once.
@Suite struct PasscodeServiceTests {
  private static let own = "@include common-auth\naccount required pam_permit.so\n"

  @Test func `the installed service over a sound stack is sound`() throws {
    let scene = try Scene(["signet-passcode": Self.own, "common-auth": BrokenStackTests.sound])
    #expect(try scene.check("signet-passcode").findings == [])
  }

  @Test func `whose account is open is its account lines' to say, and none of them should clear a count`() throws {
    func remarks(_ lines: String, as service: String = "signet-passcode") throws -> [String] {
      try Scene.check("auth required pam_unix.so\n" + lines, as: service).remarks.map(\.text)
    }
    #expect(try remarks("account required pam_permit.so\n") == [])
    #expect(try remarks("").first?.contains("@include common-account") == true)
    #expect(try remarks("account required pam_faillock.so\n").first?.contains("clears pam_faillock's count") == true)
    #expect(try remarks("account required pam_faillock.so\n", as: "cron").isEmpty)
  }

  @Test func `it is checked with every service that needs it`() throws {
    let scene = try Scene(["sudo": BrokenStackTests.sound, "su": "auth required pam_unix.so\n"])
    let check = try scene.stackCheck()
    #expect(try check.servicesWithSignet() == ["sudo"])
    #expect(try check.check(["su"]).map(\.service) == ["su"])
    let reports = try check.check(["sudo"])
    #expect(reports.map(\.service) == ["sudo", "signet-passcode"])
    #expect(reports[1].findings == ["noPasscodeService signet-passcode:1"])
  }

  @Test func `what others take in is checked in them`() throws {
    let scene = try Scene(["sudo": Self.own, "signet-passcode": Self.own, "common-auth": BrokenStackTests.sound])
    #expect(try scene.stackCheck().servicesWithSignet() == ["signet-passcode", "sudo"])
  }

  @Test(arguments: [
    ("auth required pam_unix.so\nauth required pam_sss.so\n", "questions signet-passcode:2"),
    ("auth required pam_google_authenticator.so\nauth required pam_unix.so\n", "questions signet-passcode:2"),
    ("auth required pam_unix.so\nauth required pam_oath.so\n", "questions signet-passcode:2"),
    ("auth required pam_signet.so\n", "noPasscode signet-passcode:1"),
    ("auth [ignore=die default=ignore] pam_signet.so\nauth required pam_unix.so\n", "noPasscode signet-passcode:1"),
    ("auth sufficient pam_signet.so\n", "noPasscode signet-passcode:1"),
    ("auth sufficient pam_signet.so\nauth required pam_permit.so\n", "opensWithoutCredential signet-passcode:2"),
    ("account required pam_permit.so\n", "noPasscode other:1"),
  ])
  func `a passcode service that cannot work is at fault`(auth: String, finding: String) throws {
    #expect(try Scene.check(auth, as: "signet-passcode").findings.contains(finding))
  }

  @Test func `a second module that takes the passcode of the first asks nothing`() throws {
    let auth = "auth required pam_unix.so\nauth required pam_krb5.so use_first_pass\n"
    #expect(try Scene.check(auth, as: "signet-passcode").findings == [])
  }

  /// The examples of pam_faillock(8), with what it names as an option; and its usual lines in Debian's common-auth.
  @Test(arguments: [
    """
    auth [success=1 default=bad] pam_unix.so
    auth [default=die] pam_faillock.so authfail
    auth sufficient pam_faillock.so authsucc
    auth required pam_deny.so
    """,
    """
    auth requisite pam_faillock.so preauth
    auth [success=1 default=bad] pam_unix.so
    auth [default=die] pam_faillock.so authfail
    auth sufficient pam_faillock.so authsucc
    auth required pam_deny.so
    """,
    """
    auth required pam_faillock.so preauth
    auth sufficient pam_unix.so
    auth [default=die] pam_faillock.so authfail
    auth required pam_deny.so
    """,
    """
    auth requisite pam_faillock.so preauth
    auth [success=3 default=ignore] pam_signet.so
    auth [success=2 default=ignore] pam_unix.so
    auth [default=die] pam_faillock.so authfail
    auth requisite pam_deny.so
    auth required pam_permit.so
    auth required pam_faillock.so authsucc
    """,
  ])
  func `behind pam_faillock each wrong passcode is counted`(auth: String) throws {
    #expect(try Scene.check(auth + "\n", as: "signet-passcode").findings == [])
  }

  @Test func `where a directory that is away has the last word, a wrong passcode is not counted, which is a fault`() throws {
    let finding = ["uncountedGuess signet-passcode:2"]
    let last = "auth sufficient pam_unix.so\nauth required pam_sss.so use_first_pass\n"
    #expect(try Scene.check(last, as: "signet-passcode").findings == finding)
    #expect(try Scene.check(last + "auth required pam_deny.so\n", as: "signet-passcode").findings == finding)
    let counted = last.replacing("required pam_sss", with: "sufficient pam_sss") + "auth required pam_deny.so\n"
    #expect(try Scene.check(counted, as: "signet-passcode").findings == [])
    // Of one directory alone nobody knows that it would have refused.
    #expect(try Scene.check("auth required pam_sss.so\n", as: "signet-passcode").findings == [])
  }
}
