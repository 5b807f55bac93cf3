import CPAM
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// pam_fprintd.so, in the stacks that desktops have for fprintd's module.
@Suite struct FingerOnlyTests {
  /// As Debian has it, without what is not about the finger; and as Plasma's has it.
  private static let stacks = [
    "gdm-fingerprint": [
      "auth requisite pam_nologin.so", "auth required pam_succeed_if.so user != root quiet_success", "auth required",
    ],
    "kde-fingerprint": ["auth required"],
  ]

  private func host(_ script: [ScriptedDaemon.Step], service: String = "gdm-fingerprint", options: String = "") throws -> (
    host: PAMHost, code: Int32, requests: [[UInt8]]
  ) {
    let daemon = try ScriptedDaemon(script)
    let configuration = try PAMConfiguration()
    let module = "\(try ReaderChannel.program("libpam_fprintd.so")) socket=\(daemon.path) \(options)"
    let auth = try #require(FingerOnlyTests.stacks[service])
    try configuration.add(
      service,
      lines: auth.dropLast() + [auth.last! + " \(module)"]
        + ["account", "password", "session"].map { "\($0) required \(module)" })
    let host = try PAMHost(service: service, user: "nobody", confdir: configuration.path)
    let code = host.authenticate()
    #expect(!host.messages.contains { $0.style == PAM_PROMPT_ECHO_OFF })
    return (host, code, try daemon.finish().first ?? [])
  }

  @Test(arguments: stacks.keys.sorted()) func `a finger is a success, and the credential follows`(service: String) throws {
    let (host, code, requests) = try host([.expect(.authenticate), .send(Packet.heartbeat), touch, success], service: service)
    #expect(code == PAM_SUCCESS)
    #expect(host.setCredentials() == PAM_SUCCESS)
    #expect(try Asked(requests[0]).policy == .deviceOwnerAuthenticationWithBiometrics)
  }

  @Test(arguments: [
    (Verdict.authenticationFailed, PAM_MAXTRIES), (.biometryLockout, PAM_AUTHINFO_UNAVAIL),
    (.biometryNotAvailable, PAM_AUTHINFO_UNAVAIL), (.biometryNotEnrolled, PAM_AUTHINFO_UNAVAIL),
    (.userFallback, PAM_AUTHINFO_UNAVAIL), (.passcodeNotSet, PAM_AUTHINFO_UNAVAIL), (.systemCancel, PAM_AUTH_ERR),
    (Verdict(rawValue: 99), PAM_AUTHINFO_UNAVAIL),
  ])
  func `each verdict has the code that fprintd's module has for it`(verdict: Verdict, code: Int32) throws {
    #expect(try host([.expect(.authenticate), touch, .send(Packet.refusal(verdict))]).code == code)
  }

  @Test func `while locked it says so and is unavailable`() throws {
    let locked = ScriptedDaemon.Step.send(Packet.show(.locked, value: LockReason.strikes.rawValue))
    let (host, code, _) = try host([.expect(.authenticate), locked, .send(Packet.refusal(.biometryLockout))])
    #expect(code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.messages.map(\.style) == [PAM_ERROR_MSG])
  }

  @Test func `a signetd that asks for the passcode is told that none comes`() throws {
    let (_, code, requests) = try host([.expect(.authenticate), .send(Packet.askPasscode(.lockout)), .expect(.cancel)])
    #expect(code == PAM_AUTHINFO_UNAVAIL)
    #expect(requests.count == 2)
  }

  @Test func `so many misses as max-tries says end it`() throws {
    let miss = { ScriptedDaemon.Step.send(Packet.show(.notRecognised, value: $0)) }
    let (host, code, _) = try host(
      [.expect(.authenticate), touch, miss(2), touch, miss(1), .expect(.cancel)], options: "max-tries=2")
    #expect(code == PAM_MAXTRIES)
    #expect(
      host.messages.filter { $0.style == PAM_ERROR_MSG }.map(\.text) == [
        "Fingerprint not recognised, 1 attempt left", "Fingerprint not recognised",
      ])
  }

  @Test(arguments: [
    ("timeout=17", 17), ("timeout=5", 10), ("timeout=x", 30), ("timeout=99999", 30), ("debug=on timeout=40", 40), ("", 30),
    ("nonsense timeout=20", 20), ("max-tries=-1 timeout=20", 20), ("debug=maybe timeout=20", 20),
    ("max-tries=3 debug timeout=20", 20),
  ])
  func `fprintd's options are taken, and a word that is none counts for nothing`(options: String, seconds: UInt8) throws {
    let (_, code, requests) = try host([.expect(.authenticate), success], options: options)
    #expect(code == PAM_SUCCESS)
    #expect(requests[0][3...4] == [seconds, 0])
  }

  @Test func `its account, password and session entries let nobody in and change nothing`() throws {
    let (host, code, _) = try host([.expect(.authenticate), success])
    #expect(code == PAM_SUCCESS)
    for code in [host.manageAccount(), host.changePasscode(), host.openSession(), host.closeSession()] {
      #expect(code != PAM_SUCCESS)
    }
  }

  /// Plasma's locker takes an answer within 50 ms for "no finger here".
  @Test func `Plasma's locker hears of a match no sooner than it takes one for true`() throws {
    let began = PAMHost.microseconds()
    #expect(try host([.expect(.authenticate), success], service: "kde-fingerprint").code == PAM_SUCCESS)
    #expect(PAMHost.microseconds() - began >= 60_000)
  }

  @Test func `without signetd it is unavailable, and nothing is said`() throws {
    let configuration = try PAMConfiguration()
    let module = try ReaderChannel.program("libpam_fprintd.so")
    try configuration.add("kde-fingerprint", module: module, options: "socket=/nonexistent/signet")
    let host = try PAMHost(service: "kde-fingerprint", user: "nobody", confdir: configuration.path)
    #expect(host.authenticate() == PAM_AUTHINFO_UNAVAIL)
    #expect(host.messages == [])
  }
}
