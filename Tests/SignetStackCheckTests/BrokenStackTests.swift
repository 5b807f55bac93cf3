import SignetStackCheck
import Testing

/// Stacks as people break them: each must be called broken, at the right line.
@Suite struct BrokenStackTests {
  static let profile = "[success=2 auth_err=die maxtries=die abort=die conv_err=die default=ignore]"
  /// What pam-auth-update makes of the profile.
  static let sound = """
    auth \(profile) pam_signet.so show
    auth [success=1 default=ignore] pam_unix.so nullok try_first_pass
    auth requisite pam_deny.so
    auth required pam_permit.so
    auth optional pam_cap.so
    """

  @Test func `pam-auth-update's stack is sound`() throws {
    let report = try Scene.check(Self.sound)
    #expect(report.findings == [])
    // Each refusal of pam_signet.so is tried with two outcomes of pam_cap, and there are more ways.
    #expect(report.runs > 20)
  }

  struct Broken: CustomTestStringConvertible {
    var testDescription: String
    var auth: String
    var finding: String

    init(_ what: String, _ finding: String, _ auth: String) { (testDescription, self.finding, self.auth) = (what, finding, auth) }
  }

  static let broken: [Broken] = [
    Broken("pam_permit sufficient before all", "opensWithoutCredential sudo:1", "auth sufficient pam_permit.so\n" + sound),
    Broken(
      "our line ok whatever it says", "noPasscode sudo:1",
      sound.replacing("default=ignore] pam_signet", with: "default=ok] pam_signet")),
    Broken(
      "our line jumps over pam_deny to pam_permit", "opensWithoutCredential sudo:1",
      "auth [success=1 default=1] pam_signet.so\nauth requisite pam_deny.so\nauth required pam_permit.so\n"),
    Broken(
      "our default jumps as far as a success", "opensWithoutCredential sudo:1",
      sound.replacing("default=ignore] pam_signet", with: "default=2] pam_signet")),
    Broken(
      "an unavailable reader is the end", "noPasscode sudo:1",
      sound.replacing("default=ignore] pam_signet", with: "authinfo_unavail=done default=ignore] pam_signet")),
    Broken(
      "no reader locks out", "noPasscode sudo:1", sound.replacing("default=ignore] pam_signet", with: "default=die] pam_signet")),
    Broken("our line required, and nothing else", "noPasscode sudo:1", "auth required pam_signet.so\n"),
    Broken(
      "our line required, and a passcode", "noPasscode sudo:2",
      "auth optional pam_cap.so\nauth required pam_signet.so\nauth required pam_unix.so\n"),
    Broken("only root, and no passcode", "noPasscode sudo:2", "auth required pam_rootok.so\nauth required pam_signet.so\n"),
    Broken("root, or else a finger alone", "noPasscode sudo:2", "auth sufficient pam_rootok.so\nauth required pam_signet.so\n"),
    Broken(
      "a finger and a key", "noPasscode sudo:1", "auth required pam_signet.so\nauth required pam_u2f.so\n"),
    Broken("our line optional, and nothing else", "noPasscode sudo:1", "auth optional pam_signet.so\n"),
    Broken("our line sufficient, and nothing else", "noPasscode sudo:1", "auth sufficient pam_signet.so\n"),
    Broken(
      "no pam_deny", "opensWithoutCredential sudo:3",
      """
      auth [success=2 auth_err=die maxtries=die abort=die conv_err=die default=ignore] pam_signet.so
      auth [success=1 default=ignore] pam_unix.so
      auth required pam_permit.so
      """),
    Broken(
      "a line put in behind pam_unix, its jump not counted anew", "noPasscode sudo:2",
      """
      auth [success=3 auth_err=die maxtries=die abort=die conv_err=die default=ignore] pam_signet.so
      auth [success=1 default=ignore] pam_unix.so
      auth optional pam_cap.so
      auth requisite pam_deny.so
      auth required pam_permit.so
      """),
    Broken(
      "a line put in behind ours, its jump not counted anew", "fingerRefused sudo:1",
      """
      auth [success=2 auth_err=die maxtries=die abort=die conv_err=die default=ignore] pam_signet.so
      auth optional pam_cap.so
      auth [success=1 default=ignore] pam_unix.so
      auth requisite pam_deny.so
      auth required pam_permit.so
      """),
    Broken(
      "ignore counts as an answer", "noPasscode sudo:1",
      sound.replacing("default=ignore] pam_signet", with: "ignore=ok default=ignore] pam_signet")),
    Broken(
      "an unknown user is let in by ours", "opensWithoutCredential sudo:1",
      sound.replacing("default=ignore] pam_signet", with: "user_unknown=2 default=ignore] pam_signet")),
    Broken(
      "an unknown user is let in by pam_unix", "opensWithoutCredential sudo:2",
      sound.replacing("success=1 default=ignore] pam_unix", with: "success=1 user_unknown=1 default=ignore] pam_unix")),
    Broken(
      "a module that has nothing to say is let in", "opensWithoutCredential sudo:2",
      "auth sufficient pam_signet.so\nauth [success=1 ignore=1 default=ignore] pam_sss.so\nauth requisite pam_deny.so\nauth required pam_permit.so\n"
    ),
    Broken(
      "a group is let in", "opensWithoutCredential sudo:1", "auth sufficient pam_succeed_if.so user ingroup wheel\n" + sound),
    Broken(
      "a condition's success stays when every credential is refused", "opensWithoutCredential sudo:1",
      "auth required pam_env.so\nauth sufficient pam_signet.so\nauth sufficient pam_unix.so try_first_pass\n"),
    Broken(
      "a missing module is a failure", "noPasscode sudo:1",
      sound.replacing(
        "default=ignore] pam_signet",
        with: "authinfo_unavail=ignore ignore=ignore system_err=ignore open_err=ignore default=die] pam_signet")),
    Broken(
      "a jump beyond the end", "badJump sudo:1", sound.replacing("success=2", with: "success=9")),
    Broken(
      "a jump beyond the end of a refusal", "badJump sudo:1",
      sound.replacing("maxtries=die", with: "maxtries=9")),
    Broken(
      "the passcode jumped over", "noPasscode sudo:1",
      "auth [success=done default=1] pam_signet.so\nauth sufficient pam_unix.so\nauth required pam_deny.so\n"),
    Broken(
      "the passcode asked in vain", "noPasscode sudo:2", "auth sufficient pam_signet.so\nauth [default=ignore] pam_unix.so\n"),
    Broken("a file that is not there", "missingInclude sudo:2", "auth sufficient pam_signet.so\n@include common-auth\n"),
    Broken(
      "a file that is not there, by name", "missingInclude sudo:2", "auth sufficient pam_signet.so\nauth include common-auth\n"),
    Broken("a file that includes itself", "includeLoop sudo:1", "@include sudo\n" + sound),
    Broken("no type", "malformed sudo:1", "auht required pam_unix.so\n" + sound),
    Broken("no control", "malformed sudo:1", "auth\n" + sound),
    Broken("no module", "malformed sudo:1", "auth required\n" + sound),
    Broken("a control that cannot be read", "malformed sudo:1", sound.replacing("success=2", with: "succes=2")),
    Broken("an include that names no file", "malformed sudo:1", "session include\n" + sound),
    Broken("a file that ends in a backslash", "malformed sudo:6", sound + "\nauth optional pam_cap.so \\"),
    Broken("lines of another system", "malformed sudo:1", sound.replacing("\n", with: "\r\n")),
    Broken("a line longer than libpam reads", "malformed sudo:2", "\n# " + String(repeating: "x", count: 1100) + "\n" + sound),
  ]

  @Test(arguments: broken) func `a broken stack is called broken at its line`(stack: Broken) throws {
    let report = try Scene.check(stack.auth)
    #expect(report.findings.contains(stack.finding), "\(report.findings)")
    let place = try #require(report.faults.first { stack.finding.hasSuffix(":\($0.place.line)") }?.place)
    #expect(
      stack.auth.split(separator: "\n", omittingEmptySubsequences: false)[place.line - 1].contains(place.text.prefix(12))
        || place.text.isEmpty)
  }
}
