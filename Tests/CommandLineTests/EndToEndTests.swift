import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// The command line with a real signetd, signet-reader and libfprint's virtual reader.
@Suite struct EndToEndTests {
  private let scene: SignetScene
  private var reader: VirtualReader { scene.reader }
  private var daemon: RunningDaemon { scene.daemon }

  init() throws { scene = try SignetScene() }

  private func signet(_ words: String...) throws -> Signet { try scene.signet(words) }

  private func enroll(_ finger: Finger, as scan: String) throws -> SignetScene.End { try scene.enroll(finger, as: scan) }

  /// Verifies with these fingers, each put on the reader as it asks for it.
  private func verify(_ scans: String...) throws -> SignetScene.End {
    let terminal = try scene.start(["verify"])
    for (index, scan) in scans.enumerated() {
      try terminal.read(until: index == 0 ? "fingerprint reader" : " left")
      try reader.scan(scan)
    }
    return try scene.end(terminal)
  }

  private func delete(_ finger: Finger) throws -> SignetScene.End {
    let terminal = try scene.start(["delete", finger.name])
    try scene.answerPasscode(on: terminal)
    return try scene.end(terminal)
  }

  @Test(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
  func `a finger is enrolled, listed, verified, missed, reset and deleted`() throws {
    let enrolled = try enroll(.leftThumb, as: "left")
    #expect(enrolled.status == 0)
    #expect(enrolled.screen.hasSuffix("Enrolled left-thumb.\r\n"))
    #expect(try signet("list").output.contains("left-thumb  virtual_device:0"))

    let match = try verify("left")
    #expect(match.status == 0)
    #expect(match.screen.hasSuffix("Verified.\r\n"))

    let misses = try verify("right", "right", "right")
    #expect(misses.status == 1)
    #expect(misses.screen.contains("2 attempts left"))
    #expect(try signet("status").output.contains("Strikes:  3 of 5"))

    #expect(try verify("right", "right").status != 0)
    #expect(try signet("verify").status == 4)
    #expect(try signet("status", "--json").output.contains("\"lock\" : \"strikes\""))

    #expect(try signet("reset", daemon.user).status == (geteuid() == 0 ? 0 : 6))
    #expect(try delete(.rightThumb).status == 1)
    #expect(try delete(.leftThumb).status == 0)
    #expect(try signet("list").output.isEmpty)
    #expect(try signet("verify").status == 1)
  }

  @Test(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
  func `after lock no finger verifies, and status says why`() throws {
    #expect(try enroll(.leftThumb, as: "left").status == 0)
    #expect(try verify("left").status == 0)
    #expect(try signet("lock").status == 0)
    let locked = try signet("verify")
    #expect(locked.status == 4)
    #expect(locked.errors.contains("Your passcode is required: fingerprints were locked on request"))
    #expect(try signet("status").output.contains("Locked:   yes, by signet lock or a locked session."))
    #expect(try signet("status", "--json").output.contains("\"lock\" : \"requested\""))
    try #require(try signet("reset", daemon.user).status == (geteuid() == 0 ? 0 : 6))
    if geteuid() == 0 { #expect(try verify("left").status == 0) }
  }

  /// Starts signetd anew, with these settings too.
  private func restart(_ settings: String) throws {
    daemon.end(SIGTERM)
    let own = [
      "reader_user = root", "passcode_confdir = \(daemon.confdir)", RunningDaemon.anyone, RunningDaemon.noRules,
      reader.configuration,
    ]
    try daemon.write("signet.conf", own.joined(separator: "\n") + "\n" + settings)
    try daemon.start()
  }

  @Test(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
  func `after five wrong passcodes status says when the next one is looked at`() throws {
    #expect(try enroll(.leftThumb, as: "left").status == 0)
    try restart("passcode_delays = 5min 1h\n")
    #expect(try signet("lock").status == 0)
    for attempt in 1...5 {
      let client = try daemon.connect()
      try client.authenticate(daemon.user, service: "login")
      #expect(try client.afterShowing() == .askPasscode(.lockout), "\(attempt)")
      try client.answer(passcode: "wrong")
      #expect(try client.afterShowing().verdict == .authenticationFailed)
    }
    #expect(try signet("status").output.contains("\nPasscode: 5 wrong in a row, next passcode in 5 min\n"))
    #expect(try signet("status", "--json").output.contains("\"wrongPasscodes\" : 5"))
  }

  @Test(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
  func `a service without tries has no finger to verify, and costs no strike`() throws {
    #expect(try enroll(.leftThumb, as: "left").status == 0)
    try restart("[service signet]\ntries = 0\n")
    #expect(try signet("verify").status == 5)
    #expect(daemon.readerPid == nil)
    #expect(try signet("status").output.contains("Strikes:  0 of 5\nLocked:   no\n"))
  }

  @Test func `the reader is described, and there are no sessions`() throws {
    let readers = try signet("readers")
    #expect(readers.status == 0)
    #expect(readers.output.contains("virtual_device:0"))
    let sessions = try signet("sessions", "--json")
    #expect(sessions.status == 0)
    #expect(sessions.output.filter { !$0.isWhitespace } == "[]")
    #expect(try signet("sessions", "revoke", "0123abcd").status == 1)
  }
}
