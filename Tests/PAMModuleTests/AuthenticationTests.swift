import CPAM
import SignetBytes
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Runs the module against a script of signetd's side, in a host of its own without a terminal. Whatever happens, the host
/// must be as before.
func run(
  _ script: [ScriptedDaemon.Step], options: String = "", service: String = "signet-test", answers: [String] = [],
  _ arguments: String...
) throws -> (host: HostRun, requests: [[UInt8]]) {
  let daemon = try ScriptedDaemon(script)
  let configuration = try PAMConfiguration().add(service, options: "socket=\(daemon.path) \(options)")
  var words = ["--service", service, "--confdir", configuration.path, "--state"]
  if !arguments.contains("--user") { words += ["--user", "alice"] }
  let host = try HostRun.run(words + arguments, answers: answers)
  let requests = try daemon.finish().first ?? []
  #expect(host.status == 0)
  #expect(host.step("state")?.differences == [], "\(host.step("state")?.descriptors ?? "")")
  #expect(host.step("authenticate")?.leftover == 0)
  return (host, requests)
}

/// Runs the module where it must not even connect.
func runAlone(
  options: String = "socket=/nonexistent/signet", service: String = "signet-test", _ arguments: String...
) throws -> HostRun {
  let configuration = try PAMConfiguration().add(service, options: options)
  var words = ["--service", service, "--confdir", configuration.path, "--state"]
  if !arguments.contains("--user") { words += ["--user", "alice"] }
  let host = try HostRun.run(words + arguments)
  #expect(host.status == 0)
  #expect(host.step("state")?.differences == [], "\(host.step("state")?.descriptors ?? "")")
  return host
}

let token = [UInt8](1...32)
let touch = ScriptedDaemon.Step.send(Packet.show(.touchReader))
let success = ScriptedDaemon.Step.send(Packet.success(.fingerprint, token: token))

@Suite struct AuthenticationTests {
  @Test func `a finger that signetd accepts is a success`() throws {
    let (host, requests) = try run([.expect(.authenticate), .send(Packet.heartbeat), touch, success])
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts == ["Touch the fingerprint reader"])
    #expect(requests.count == 1)
  }

  @Test func `signetd learns who asks, by which service and terminal, and for how long`() throws {
    let (_, requests) = try run(
      [.expect(.authenticate), success], options: "timeout=17", service: "locker", "--tty", "/dev/tty7", "--rhost", "localhost")
    let asked = try Asked(requests[0])
    #expect(asked == Asked(policy: .deviceOwnerAuthentication, timeout: 17, texts: ["alice", "locker", "/dev/tty7", ""]))
  }

  @Test(arguments: [
    (Verdict.authenticationFailed, PAM_AUTH_ERR), (.userCancel, PAM_AUTH_ERR), (.systemCancel, PAM_AUTH_ERR),
    (.appCancel, PAM_AUTH_ERR), (.userFallback, PAM_AUTHINFO_UNAVAIL), (.passcodeNotSet, PAM_AUTHINFO_UNAVAIL),
    (.biometryNotAvailable, PAM_AUTHINFO_UNAVAIL), (.biometryNotEnrolled, PAM_AUTHINFO_UNAVAIL),
    (.biometryLockout, PAM_MAXTRIES), (.invalidContext, PAM_AUTHINFO_UNAVAIL), (.notInteractive, PAM_AUTHINFO_UNAVAIL),
    (.accountClosed, PAM_AUTHINFO_UNAVAIL), (.passcodeExpired, PAM_AUTHINFO_UNAVAIL), (.accountUnknown, PAM_AUTHINFO_UNAVAIL),
    (Verdict(rawValue: 0), PAM_AUTHINFO_UNAVAIL), (Verdict(rawValue: 99), PAM_AUTHINFO_UNAVAIL),
    (Verdict(rawValue: 255), PAM_AUTHINFO_UNAVAIL),
  ])
  func `each verdict has its code`(verdict: Verdict, code: Int32) throws {
    let (host, _) = try run([.expect(.authenticate), touch, .send(Packet.refusal(verdict))])
    #expect(host.code == code)
  }

  @Test func `no verdict but success is success`() throws {
    let configuration = try PAMConfiguration()
    for number in UInt8.min...UInt8.max where number != Verdict.success.rawValue {
      let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.refusal(Verdict(rawValue: number)))])
      try configuration.add("signet-test", options: "socket=\(daemon.path)")
      let host = try PAMHost(service: "signet-test", user: "alice", confdir: configuration.path)
      #expect(host.authenticate() != PAM_SUCCESS)
      try daemon.finish()
    }
  }

  @Test func `a user without fingers sees nothing and hears nothing`() throws {
    let (host, _) = try run([.expect(.authenticate), .send(Packet.refusal(.biometryNotEnrolled))])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.texts == [])
  }

  @Test func `each prompt has its words`() throws {
    let (host, _) = try run([
      .expect(.authenticate), .send(Packet.show(.touchReader, value: 1)), .send(Packet.show(.notRecognised, value: 2)),
      .send(Packet.show(.notRecognised, value: 1)), .send(Packet.show(.scanAgain, value: ScanRetry.tooShort.rawValue)),
      .send(Packet.show(.scanAgain, value: 200)), .send(Packet.show(.readerBusy, detail: Array("sudo".utf8))),
      .send(Packet.show(.readerUnavailable)), .send(Packet.show(.timedOut)), .send(Packet.show(.noAttemptsLeft)),
      .send(Packet.show(.locked, value: LockReason.strikes.rawValue)),
      .send(Packet.show(.locked, value: LockReason.restart.rawValue)), .send(Packet.show(.passcodeDelayed, value: 5)),
      .send(Packet.refusal(.biometryLockout)),
    ])
    #expect(
      host.texts == [
        "Swipe your finger across the fingerprint reader", "Fingerprint not recognised, 2 attempts left",
        "Fingerprint not recognised, 1 attempt left", "Scan again: the touch was too short", "Scan again",
        "The fingerprint reader is in use by sudo", "The fingerprint reader is not available", "No finger was seen in time",
        "No fingerprint attempts left. Enter your passcode.",
        "Fingerprints are locked after too many attempts. Enter your passcode.",
        "Your passcode is required after a restart", "Too many wrong passcodes. Try again in 5 minutes",
      ])
    let styles = host.step("authenticate")?.messages?.map(\.style) ?? []
    let information = styles.indices.filter { styles[$0] == PAM_TEXT_INFO }
    // That nobody touched the reader is no error.
    #expect(
      information.map { host.texts[$0] } == ["Swipe your finger across the fingerprint reader", "No finger was seen in time"])
    #expect(styles.allSatisfy { $0 == PAM_TEXT_INFO || $0 == PAM_ERROR_MSG })
  }

  @Test(arguments: ["\u{1B}[31mred", "two\nlines", "\u{7F}", "\u{9B}0m", "\u{202E}odus", "\u{2066}x", "\u{200B}"])
  func `a detail that could drive a terminal is left out`(detail: String) throws {
    let (host, _) = try run([
      .expect(.authenticate), .send(Packet.show(.readerBusy, detail: Array(detail.utf8))),
      .send(Packet.refusal(.biometryNotAvailable)),
    ])
    #expect(host.texts == ["The fingerprint reader is in use"])
  }

  @Test func `of every foreign text the harmless ones are shown, and no other`() throws {
    let (host, _) = try run(
      [.expect(.authenticate)] + ForeignTextVector.all.map { .send(Packet.show(.readerBusy, detail: Array($0.text.utf8))) }
        + [.send(Packet.refusal(.biometryNotAvailable))])
    #expect(
      host.texts
        == ForeignTextVector.all.map { "The fingerprint reader is in use\($0.isHarmless ? " by \($0.text)" : "")" })
  }

  @Test func `a detail in another language is shown`() throws {
    let (host, _) = try run([
      .expect(.authenticate), .send(Packet.show(.readerBusy, detail: Array("naïve 指紋 🖐".utf8))),
      .send(Packet.refusal(.biometryNotAvailable)),
    ])
    #expect(host.texts == ["The fingerprint reader is in use by naïve 指紋 🖐"])
  }

  @Test func `a silent host hears nothing`() throws {
    let (host, _) = try run(
      [.expect(.authenticate), touch, .send(Packet.show(.notRecognised, value: 2)), .send(Packet.show(.locked)), success],
      "--silent")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts == [])
  }

  @Test func `a silent host hears all where the configuration says so`() throws {
    let (host, _) = try run([.expect(.authenticate), touch, success], options: "show", "--silent")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts.count == 1)
  }

  @Test(arguments: ["example.org", "10.0.0.7", "::1", "localhost.localdomain", "Localhost", " "])
  func `a user at another machine is not asked for a finger here`(host: String) throws {
    let run = try runAlone("--rhost", host)
    #expect(run.code == PAM_AUTHINFO_UNAVAIL)
    #expect(run.texts == [])
  }

  @Test(arguments: ["", "localhost"])
  func `a user at this machine is`(host: String) throws {
    #expect(try run([.expect(.authenticate), success], "--rhost", host).host.code == PAM_SUCCESS)
  }

  @Test func `the nested question for a passcode does not ask signetd again`() throws {
    let daemon = try ScriptedDaemon()
    let host = try runAlone(options: "socket=\(daemon.path)", service: "signet-passcode")
    // The module says PAM_IGNORE; alone in its stack that is a refusal.
    #expect(host.code == PAM_PERM_DENIED)
  }

  @Test func `a token is not needed for the other entry points`() throws {
    let host = try runAlone("--account", "--password", "--session")
    // PAM_IGNORE of the only module in a stack.
    for step in ["account", "password", "credentials", "open", "close"] {
      #expect(host.step(step)?.code != PAM_SUCCESS, "\(step)")
    }
  }

  @Test func `setcred agrees where this module authenticated`() throws {
    #expect(try run([.expect(.authenticate), success], "--credentials").host.step("credentials")?.code == PAM_SUCCESS)
  }
}

/// The fields of an `authenticate` request.
struct Asked: Equatable {
  var policy: Policy
  var timeout: UInt16
  var texts: [String]

  init(policy: Policy, timeout: UInt16, texts: [String]) {
    (self.policy, self.timeout, self.texts) = (policy, timeout, texts)
  }

  init(_ packet: [UInt8]) throws {
    var fields = ByteReader(packet.span)
    _ = try fields.header()
    let request = try AuthenticateRequest(parsing: fields)
    policy = request.policy
    timeout = request.timeout
    texts = [text(request.user), text(request.service), text(request.terminal), text(request.remoteHost)]
  }
}

func text(_ bytes: Span<UInt8>) -> String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
