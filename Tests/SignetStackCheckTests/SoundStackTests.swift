import SignetStackCheck
import SignetTestKit
import Testing

/// Stacks as distributions and their manuals write them: none may be called broken.
@Suite struct SoundStackTests {
  struct Sound: CustomTestStringConvertible {
    var testDescription: String
    var auth: String

    init(_ what: String, _ auth: String) { (testDescription, self.auth) = (what, auth) }
  }

  static let line = "auth \(BrokenStackTests.profile) pam_signet.so"

  static let sound: [Sound] = [
    Sound("ours sufficient before the passcode", "auth sufficient pam_signet.so\nauth required pam_unix.so\n"),
    Sound("pam_permit behind a module that always says something", "auth required pam_unix.so\nauth required pam_permit.so\n"),
    Sound("no line of ours", "auth required pam_unix.so nullok\n"),
    Sound(
      "sssd behind the local users",
      """
      auth [success=3 auth_err=die maxtries=die abort=die conv_err=die default=ignore] pam_signet.so
      auth [success=2 default=ignore] pam_unix.so nullok
      auth [success=1 default=ignore] pam_sss.so use_first_pass
      auth requisite pam_deny.so
      auth required pam_permit.so
      auth optional pam_cap.so
      """),
    Sound(
      "Kerberos before the local users",
      """
      auth [success=3 auth_err=die maxtries=die abort=die conv_err=die default=ignore] pam_signet.so
      auth [success=2 default=ignore] pam_krb5.so minimum_uid=1000
      auth [success=1 default=ignore] pam_unix.so nullok try_first_pass
      auth requisite pam_deny.so
      auth required pam_permit.so
      """),
    Sound(
      "local users and others apart",
      """
      auth required pam_env.so
      auth required pam_faildelay.so delay=2000000
      auth sufficient pam_signet.so
      auth sufficient pam_unix.so nullok
      auth [default=1 ignore=ignore success=ok] pam_usertype.so isregular
      auth sufficient pam_sss.so forward_pass
      auth required pam_deny.so
      """),
    Sound(
      "failures counted",
      """
      auth required pam_faillock.so preauth
      \(line.replacing("success=2", with: "success=3"))
      auth [success=2 default=ignore] pam_unix.so nullok
      auth [default=die] pam_faillock.so authfail
      auth requisite pam_deny.so
      auth required pam_permit.so
      auth required pam_faillock.so authsucc
      """),
    Sound(
      "a second factor",
      """
      \(line)
      auth [success=1 default=ignore] pam_unix.so
      auth requisite pam_deny.so
      auth required pam_google_authenticator.so
      """),
    Sound(
      "a key may replace the passcode",
      "auth sufficient pam_u2f.so cue\nauth sufficient pam_signet.so\nauth required pam_unix.so\n"),
    Sound(
      "root need not show anything", "auth sufficient pam_rootok.so\nauth sufficient pam_signet.so\nauth required pam_unix.so\n"),
    Sound("only root", "auth required pam_rootok.so\n" + BrokenStackTests.sound),
    Sound("only a group", "auth required pam_wheel.so\n" + BrokenStackTests.sound),
    Sound("a group without a passcode", "auth sufficient pam_wheel.so trust\n" + BrokenStackTests.sound),
    Sound(
      "closed to a group by a jump",
      "auth [success=1 default=ignore] pam_succeed_if.so user notingroup x quiet\nauth requisite pam_deny.so\n"
        + BrokenStackTests.sound),
    Sound(
      "closed while logins are",
      "auth requisite pam_nologin.so\nauth optional pam_faildelay.so delay=3000000\n" + BrokenStackTests.sound),
    Sound(
      "a keyring opened by the passcode",
      BrokenStackTests.sound + "\nauth optional pam_gnome_keyring.so\n-auth optional pam_kwallet5.so\n"),
    Sound("words in any case", BrokenStackTests.sound.replacing("auth requisite", with: "AUTH\tRequisite")),
    Sound(
      "lines continued, comments behind them, arguments in brackets",
      """
      # auth sufficient pam_permit.so
        auth \\
        [success=2 \\

      # between
        auth_err=die maxtries=die abort=die conv_err=die default=ignore] \\
        pam_signet.so [a word\\] with blanks] # auth
      auth [success=1 default=ignore] pam_unix.so # pam_permit.so
      auth requisite pam_deny.so
      auth required pam_permit.so
      """),
    Sound("modules by path", BrokenStackTests.sound.replacing("pam_signet.so", with: "/usr/lib/security/pam_signet.so")),
    Sound("not UTF-8", BrokenStackTests.sound + "\n# \u{FFFD}\n"),
  ]

  @Test(arguments: sound) func `a sound stack is called sound`(stack: Sound) throws {
    let report = try Scene.check(stack.auth)
    #expect(report.faults == [])
    #expect(report.runs > 0)
  }

  @Test func `a substack's end is the end of the substack alone`() throws {
    let scene = try Scene([
      "sudo": "auth required pam_env.so\nauth substack inner\nauth optional pam_cap.so\n", "inner": BrokenStackTests.sound,
    ])
    #expect(try scene.check().findings == [])
    // Not even a jump leads out of it.
    try scene.write("inner", BrokenStackTests.sound.replacing("success=2 ", with: "success=7 "))
    #expect(try scene.check().findings.contains("badJump inner:1"))
  }

  @Test func `a reset in a substack goes back to what was before it`() throws {
    let scene = try Scene([
      "sudo": "auth required pam_unix.so\nauth substack inner\n",
      "inner": "auth substack deep\nauth [default=reset] pam_cap.so\n",
      "deep": "auth optional pam_group.so\n",
    ])
    #expect(try scene.check().findings == [])
  }

  @Test func `a service without lines of its own is what other is`() throws {
    let scene = try Scene(["chpasswd": "password required pam_unix.so\n", "other": "auth sufficient pam_permit.so\n"])
    #expect(try scene.check("chpasswd").findings.contains("opensWithoutCredential other:1"))
    #expect(try scene.check("other").findings.contains("opensWithoutCredential other:1"))
  }

  @Test func `a service below usr is found where there is no other, and what it includes is not`() throws {
    let scene = try Scene(["sudo": BrokenStackTests.sound])
    let vendor = try Scene([
      "sudo": "auth sufficient pam_permit.so\n", "gdm": BrokenStackTests.sound, "kde": "@include part\n" + BrokenStackTests.sound,
      "part": BrokenStackTests.sound,
    ])
    let check = StackCheck(folder: scene.folder, vendorFolder: vendor.folder, program: try ReaderChannel.program("signet-stack"))
    #expect(try check.servicesWithSignet() == ["gdm", "kde", "sudo"])
    #expect(try check.check("sudo").findings == [])
    #expect(try check.check("gdm").findings == [])
    #expect(try check.check("kde").findings == ["missingInclude kde:1"])
  }

  @Test func `what is wrong with other is wrong with every service`() throws {
    let scene = try Scene(["sudo": BrokenStackTests.sound, "other": "@include nothing\n"])
    #expect(try scene.check().findings == ["missingInclude other:1"])
  }

  @Test func `names are told apart as libpam does, by their small letters`() throws {
    let scene = try Scene(["sudo": BrokenStackTests.sound, "Login": "auth sufficient pam_permit.so\n"])
    #expect(try scene.check("SUDO").findings == [])
    #expect(throws: StackError.noService("\(scene.folder)/login")) { try scene.check("Login") }
  }

  @Test func `a second factor is remarked on, and a missing session line, and an unknown module`() throws {
    let stack =
      BrokenStackTests.sound.replacing("pam_cap", with: "pam_bespoke")
      + "\nauth required pam_u2f.so\nsession required pam_unix.so\n"
    let remarks = try Scene.check(stack, as: "login").remarks.map(\.text)
    #expect(remarks.contains { $0.contains("never enough") })
    #expect(remarks.contains { $0.contains("No session line") })
    #expect(remarks.contains { $0.contains("pam_bespoke.so is unknown") })
    let with = try Scene.check(BrokenStackTests.sound + "\nsession optional pam_signet.so\n", as: "login").remarks.map(\.text)
    #expect(!with.contains { $0.contains("No session line") })
  }

  @Test(arguments: [
    ("required pam_unix.so", true), ("[success=1 default=ignore] pam_unix.so\npassword requisite pam_deny.so", true),
    ("sufficient pam_unix.so", false), ("[success=done default=die] pam_sss.so", false),
  ])
  func `a new passcode that the module is not told of is remarked on`(change: String, isTold: Bool) throws {
    let isRemarked = { (lines: String) in
      try Scene.check(BrokenStackTests.sound + "\n" + lines, as: "login").remarks.contains { $0.text.contains("new passcode") }
    }
    let ours = "password optional pam_signet.so\n"
    #expect(try isRemarked("password \(change)\n\(ours)") == !isTold)
    #expect(try isRemarked("\(ours)password \(change)\n"))
    #expect(try isRemarked("password \(change)\n"))
    #expect(try !isRemarked("password required pam_deny.so\n"))
  }

  @Test func `a prompt behind ours that nobody counts is remarked, and one that pam_faillock counts is not`() throws {
    func remarks(_ stack: String, as service: String = "sudo") throws -> [Remark] {
      try Scene.check(stack, as: service).remarks.filter { $0.text.contains("counted by nobody") }
    }
    let found = try remarks(BrokenStackTests.sound)
    #expect(found.count == 1)
    #expect(found.first?.place?.text.contains("pam_unix.so") == true)
    let counted = try #require(Self.sound.first { $0.testDescription == "failures counted" })
    #expect(try remarks(counted.auth) == [])
    // Nobody comes to the prompt, ours is not there, or signetd counts itself.
    #expect(try remarks("auth requisite pam_signet.so\nauth required pam_unix.so\n") == [])
    #expect(try remarks("auth required pam_unix.so\n") == [])
    #expect(try remarks(BrokenStackTests.sound, as: "signet-passcode") == [])
  }

  @Test func `a stack beside another one may fail without a reader, and still lets nobody in without a finger`() throws {
    #expect(try Scene.check("auth required pam_signet.so\n", as: "gdm-fingerprint").faults == [])
    #expect(try Scene.check("auth required pam_signet.so\n", as: "sudo").faults.map(\.kind) == [.noPasscode])
    let open = try Scene.check("auth optional pam_signet.so\nauth required pam_permit.so\n", as: "gdm-fingerprint")
    #expect(open.faults.contains { $0.kind == .opensWithoutCredential })
  }
}
