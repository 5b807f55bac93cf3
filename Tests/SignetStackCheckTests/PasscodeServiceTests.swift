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
}
