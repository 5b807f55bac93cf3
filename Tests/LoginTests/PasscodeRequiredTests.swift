import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// When the passcode is required although a finger would match, and the delay after wrong passcodes, by the real signetd.
@Suite struct PasscodeRequiredTests {
  private let passcode = RunningDaemon.passcode

  /// The first thing that signetd says to somebody who logs in, and what follows.
  private func login(_ scene: Scene, _ service: String = "test", passcode: String? = nil) throws -> [LoginClient.Reply] {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: service)
    var replies: [LoginClient.Reply] = []
    while true {
      let reply = try client.next()
      replies.append(reply)
      switch reply {
      case .show(.touchReader, _, _): try scene.reader.scan("right")
      case .askPasscode: if let passcode { try client.answer(passcode: passcode) } else { try client.cancel() }
      case .verdict, .busy, .closed: return replies
      case .show: continue
      }
    }
  }

  private func status(_ scene: Scene) throws -> StatusRow {
    let client = try scene.daemon.connect()
    try client.send(.status(user: ""))
    guard case .status(let row) = try client.nextAdministration() else { throw TestKitError("no status") }
    return row
  }

  /// Whether the user is told of a minute or less.
  private func saysSeconds(_ reply: LoginClient.Reply?) -> Bool {
    guard case .show(.passcodeDelayed, let value, _) = reply else { return false }
    return (DelayForm.seconds + 1...DelayForm.seconds + 60).contains(value)
  }

  private func order(_ request: AdministrationRequest, _ scene: Scene) throws -> AdministrationReply {
    let client = try scene.daemon.connect()
    try client.send(request)
    return try client.nextAdministration()
  }

  @Test func `after boot the passcode comes first, and then the finger is enough`() throws {
    let scene = try Scene(rules: "")
    // Enrolled by root: nobody has used the passcode yet. Others have used it to enroll.
    if geteuid() == 0 {
      let first = try login(scene, passcode: passcode)
      #expect(first.first == .show(.locked, value: LockReason.restart.rawValue, detail: ""))
      #expect(first.last?.isSuccess == true)
    }
    let second = try login(scene)
    #expect(second.first == .show(.touchReader, value: 1, detail: ""))
    #expect(second.last?.isSuccess == true)
    try scene.restart(SIGKILL)
    #expect(try login(scene).last?.isSuccess == true)
  }

  @Test func `signet lock requires the passcode, also after signetd was killed`() throws {
    let scene = try Scene()
    #expect(try order(.lock(user: ""), scene) == .done)
    try scene.restart(SIGKILL)
    #expect(try status(scene).lock == .requested)
    let locked = try login(scene, passcode: passcode)
    #expect(locked.first == .show(.locked, value: LockReason.requested.rawValue, detail: ""))
    #expect(locked.last?.isSuccess == true)
    #expect(try login(scene).first == .show(.touchReader, value: 1, detail: ""))
  }

  @Test func `signet lock reaches a scan that is under way`() throws {
    let scene = try Scene()
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    #expect(try order(.lock(user: ""), scene) == .done)
    try scene.reader.scan("right")
    #expect(try client.next() == .show(.locked, value: LockReason.requested.rawValue, detail: ""))
    #expect(try client.next() == .askPasscode(.lockout))
    #expect(try status(scene).strikes == 1)
  }

  @Test func `an administrator can switch signet lock off`() throws {
    let scene = try Scene(enrolls: false, configuration: "passcode_after_lock = no")
    guard case .refused(let why) = try order(.lock(user: ""), scene), why.code == .lockSwitchedOff else {
      Issue.record("not refused")
      return
    }
    #expect(why.words.contains("passcode_after_lock"))
  }

  @Test func `after the fifth wrong passcode none is looked at for a minute, by any program, signetd killed or not`() throws {
    let scene = try Scene()
    _ = try order(.lock(user: ""), scene)
    for _ in 1...4 { #expect(try login(scene, passcode: "wrong").last?.verdict == .authenticationFailed) }
    let fifth = try login(scene, "login", passcode: "wrong")
    #expect(saysSeconds(fifth.dropLast().last))
    #expect(fifth.last?.verdict == .authenticationFailed)
    try scene.restart(SIGKILL)
    let sixth = try login(scene, "sudo", passcode: passcode)
    #expect(!sixth.contains(.askPasscode(.lockout)))
    #expect(saysSeconds(sixth.dropLast().last))
    #expect(sixth.last?.verdict == .biometryLockout)
    let row = try status(scene)
    #expect(row.wrongPasscodes == 5)
    #expect((1...60).contains(row.passcodeDelay))
  }

  @Test func `a passcode check that is cancelled, or whose client is killed, counts as a wrong one`() throws {
    let scene = try Scene()
    _ = try order(.lock(user: ""), scene)
    try scene.holdPasscodeChecks()
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.lockout))
    try client.answer(passcode: "wrong")
    try scene.checking?.awaitArrival()
    try client.cancel()
    #expect(try client.afterShowing().verdict == .userCancel)
    #expect(try status(scene).wrongPasscodes == 1)
  }

  @Test func `root's reset ends lock and waiting`() throws {
    guard geteuid() == 0 else { return }
    let scene = try Scene()
    _ = try order(.lock(user: ""), scene)
    for _ in 1...5 { _ = try login(scene, passcode: "wrong") }
    #expect(try order(.reset(user: scene.daemon.user), scene) == .done)
    let row = try status(scene)
    #expect(row.lock == .none)
    #expect(row.passcodeDelay == 0)
    #expect(try login(scene).last?.isSuccess == true)
  }

  @Test func `no tries means no finger at all, for the service that has none`() throws {
    let scene = try Scene(configuration: "[service sudo]\ntries = 0")
    let none = try login(scene, "sudo", passcode: passcode)
    #expect(none.first == .askPasscode(.readerUnavailable))
    #expect(none.last?.isSuccess == true)
    #expect(try login(scene, "login").first == .show(.touchReader, value: 1, detail: ""))
    #expect(try status(scene).strikes == 0)
  }

  @Test func `behind pam_faillock's usual lines a wrong passcode ends the attempt, is counted, and is no error`() throws {
    let scene = try Scene()
    let faillock = "pam_faillock.so dir=\(scene.daemon.folder)"
    try scene.setPasscodeService(
      "auth required \(faillock) preauth", "auth sufficient \(RunningDaemon.matrix) passdb=\(scene.daemon.folder)/passcodes",
      "auth [default=die] \(faillock) authfail", "auth required pam_deny.so")
    _ = try order(.lock(user: ""), scene)
    for count in 1...2 {
      #expect(try login(scene, passcode: "wrong").last?.verdict == .authenticationFailed)
      #expect(try status(scene).wrongPasscodes == count)
    }
    #expect(!scene.daemon.loggedSoFar.contains("could not check a passcode"))
    #expect(try login(scene, passcode: passcode).last?.isSuccess == true)
  }

  @Test(.enabled(if: access(LibPAM.module("pam_google_authenticator.so"), R_OK) == 0, "needs libpam-google-authenticator"))
  func `where the stack asks for a one-time code as well, no passcode counts, the user is told, and the log says so once`() throws
  {
    let scene = try Scene()
    try scene.daemon.write("code", "JBSWY3DPEHPK3PXPJBSWY3DPEH\n\" TOTP_AUTH\n")
    // Both are asked for whatever the passcode was, so that nothing may be learned here for nothing.
    try scene.setPasscodeService(
      "auth required \(RunningDaemon.matrix) passdb=\(scene.daemon.folder)/passcodes",
      "auth required pam_google_authenticator.so secret=\(scene.daemon.folder)/code user=\(scene.daemon.user)")
    _ = try order(.lock(user: ""), scene)
    for passcode in [passcode, "wrong", "wrong", "wrong", "wrong", "wrong", "wrong", passcode] {
      let replies = try login(scene, passcode: passcode)
      #expect(replies.suffix(2).first == .show(.passcodeNotEnough, value: 0, detail: ""))
      #expect(replies.last?.verdict == .biometryNotAvailable)
      #expect(try status(scene).wrongPasscodes == 0)
    }
    #expect(scene.daemon.loggedSoFar.components(separatedBy: "asks for more than the passcode").count == 2)
    #expect(try status(scene).lock == .requested)
  }
}
