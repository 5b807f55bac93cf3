import CLinux
import CPAM
import Glibc
import SignetTestKit
import SignetWire
import Testing

/// Whether the kernel lets this process use keyrings as root; containers often forbid it.
private let hasKeyrings =
  geteuid() == 0 && clinux_keyctl(KEYCTL_GET_KEYRING_ID, UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING)), 0, 0, 0) > 0

private let login: [ScriptedDaemon.Step] = [.expect(.authenticate), success]
private let open: [ScriptedDaemon.Step] = [.expect(.openSession), .send(Packet.done)]
private let close: [ScriptedDaemon.Step] = [.expect(.closeSession), .send(Packet.done)]

private let digits = token.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()

@Suite(.enabled(if: hasKeyrings, "needs root and the kernel's keyrings (keyctl)"))
struct SessionTests {
  /// A login of user nobody with a session. `keyinit` puts pam_keyinit before the module, as Debian's login does.
  private func session(
    _ connections: [[ScriptedDaemon.Step]], service: String = "login", keyinit: Bool = false, command: String = "token",
    launcher: [String] = [], _ arguments: String...
  ) throws -> (host: HostRun, requests: [[[UInt8]]]) {
    let daemon = try ScriptedDaemon(connections)
    let module = "\(try ReaderChannel.program("libpam_signet.so")) socket=\(daemon.path)"
    let configuration = try PAMConfiguration().add(
      service,
      lines: ["auth required \(module)"] + (keyinit ? ["session optional pam_keyinit.so force revoke"] : [])
        + ["session optional \(module)", "session optional pam_permit.so"])
    let program = try ReaderChannel.program("pam-host")
    let host = try HostRun.run(
      ["--service", service, "--confdir", configuration.path, "--user", "nobody", "--state", "--session"]
        + ["--tty", "tty3", "--in-session", "\(program) \(command)", "--after-session", "\(program) \(command)"] + arguments,
      launcher: launcher)
    return (host, try daemon.finish())
  }

  @Test(arguments: [true, false])
  func `the session's processes read the token, until it closes`(keyinit: Bool) throws {
    let (host, requests) = try session([login, open, close], keyinit: keyinit, command: "token 65534")
    let seen = try #require(host.step("token"))
    #expect(seen.text == digits)
    #expect(host.step("open")?.code == PAM_SUCCESS)
    #expect(host.step("close")?.code == PAM_SUCCESS)
    #expect(host.step("state")?.differences == [])
    #expect(requests[1][0].dropFirst(2).prefix(32) == token[...])
    #expect(requests[1][0].dropFirst(34).prefix(4) == littleEndian(seen.key ?? 0)[...])
    #expect(Array(requests[1][0].dropFirst(38)) == [4, 0] + Array("tty3".utf8))
    #expect(requests[2][0].dropFirst(2) == token[...])
    let after = try #require(host.steps.last { $0.step == "token" }?.errno)
    #expect(after == EKEYREVOKED)
    // Looking at the session's keyring is not enough, because pam_keyinit has revoked that before. A key that is gone is fine.
    #expect([EKEYREVOKED, ENOKEY].contains(describe(seen.key ?? 0)))
  }

  @Test func `nobody outside the session reads it, not even root who knows its number`() throws {
    let (host, _) = try session([login, open, close], keyinit: true, command: "token-elsewhere")
    #expect(host.step("token")?.key ?? 0 > 0)
    #expect(host.step("token")?.errno == EACCES)
  }

  @Test func `without pam_keyinit the caller's ring stays as it was`() throws {
    let mine = clinux_keyctl(KEYCTL_GET_KEYRING_ID, UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING)), 0, 0, 0)
    let (host, _) = try session([login, open, close])
    #expect(host.step("token")?.text == digits)
    #expect(host.step("token")?.ring != Int32(mine))
  }

  @Test(arguments: ["sudo", "sudo-i"])
  func `sudo's session gets none`(service: String) throws {
    let (host, _) = try session([login], service: service)
    #expect(host.step("token")?.errno == ENOKEY)
  }

  @Test func `a session that another module authenticated gets none`() throws {
    let (host, _) = try session([[.expect(.authenticate), .send(Packet.refusal(.biometryNotEnrolled))]])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.step("token")?.errno == ENOKEY)
  }

  @Test func `the token of one user does not reach another's session`() throws {
    let (host, _) = try session([login], command: "token", "--session-user", "daemon")
    #expect(host.step("token")?.errno == ENOKEY)
  }

  @Test func `a forked child of the host has no token to put anywhere`() throws {
    let (host, _) = try session([login], command: "token", "--session-in-child")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.step("credentials")?.code != PAM_SUCCESS)
    #expect(host.step("token")?.errno == ENOKEY)
  }

  @Test(arguments: [Packet.heartbeat, [1, ReplyKind.refused.rawValue, 46], [9], []])
  func `a session that signetd does not take goes on without a token`(answer: [UInt8]) throws {
    let steps: [ScriptedDaemon.Step] = answer.isEmpty ? [.expect(.openSession)] : [.expect(.openSession), .send(answer)]
    let (host, _) = try session([login, steps])
    #expect(host.step("open")?.code == PAM_SUCCESS, "pam_permit's: the module says PAM_IGNORE")
    #expect(host.step("token")?.text == nil)
  }

  @Test(.enabled(if: access(strace, X_OK) == 0, "needs strace"))
  func `a stopped signetd holds the session up for three seconds at most`() throws {
    let log = try PAMConfiguration()
    let (host, _) = try session(
      [login, [.expect(.openSession), .silence]], launcher: [strace, "-o", "\(log.path)/calls", "-s", "60"])
    #expect(host.step("token")?.text == nil)
    let waits = try vainWaits(in: calls(in: "\(log.path)/calls", until: "open"))
    #expect(1..<3000 ~= waits.reduce(0, +), "\(waits)")
  }

  // MARK: - the caller's ring

  /// In a session of user nobody, whose ring has nobody's token, another program opens one for `user`, as su does. What that
  /// session and then nobody's own see of the token.
  private func handOver(to user: String, uid: Int, service: String, lines: [String]) throws -> [HostRun.Step] {
    let program = try ReaderChannel.program("pam-host")
    let configuration = try PAMConfiguration().add(service, lines: ["auth required pam_permit.so"] + lines)
    let inner =
      "\(program) --service \(service) --confdir \(configuration.path) --user \(user) --session"
      + " --in-session '\(program) token \(uid)'"
    let daemon = try ScriptedDaemon([login, open, close])
    let module = "\(try ReaderChannel.program("libpam_signet.so")) socket=\(daemon.path)"
    let outer = try PAMConfiguration().add(
      "login",
      lines: [
        "auth required \(module)", "session optional pam_keyinit.so force revoke", "session optional \(module)",
        "session optional pam_permit.so",
      ])
    let host = try HostRun.run(
      ["--service", "login", "--confdir", outer.path, "--user", "nobody", "--session"]
        + ["--in-session", "\(inner); \(program) token 65534"])
    _ = try daemon.finish()
    let seen = host.steps.filter { $0.step == "token" }
    try #require(seen.count == 2, "\(host.steps)")
    return seen
  }

  private func sessionLine() throws -> [String] {
    ["session optional \(try ReaderChannel.program("libpam_signet.so"))", "session optional pam_permit.so"]
  }

  @Test(arguments: ["su", "sudo", "sudo-i"])
  func `another user's process does not read its caller's token, and the caller still does`(service: String) throws {
    let seen = try handOver(to: "daemon", uid: 1, service: service, lines: sessionLine())
    #expect(seen[0].text == nil && seen[0].errno == ENOKEY)
    #expect(seen[1].text == digits)
  }

  @Test func `root's process does not read its caller's token, either`() throws {
    #expect(try handOver(to: "root", uid: 0, service: "su", lines: sessionLine())[0].errno == ENOKEY)
  }

  @Test func `a command that runs as the ring's own user keeps the ring`() throws {
    #expect(try handOver(to: "nobody", uid: 65534, service: "sudo", lines: sessionLine())[0].text == digits)
  }

  @Test func `where a stack has no session line of ours or of pam_keyinit, the other user's process reads the token`() throws {
    #expect(try handOver(to: "daemon", uid: 1, service: "su", lines: ["session optional pam_permit.so"])[0].text == digits)
  }

  private func littleEndian(_ number: Int32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

  /// errno of looking at a key, as its owner may; 0 for success.
  private func describe(_ key: Int32) -> Int32 {
    clinux_keyctl(KEYCTL_DESCRIBE, UInt(UInt32(bitPattern: key)), 0, 0, 0) < 0 ? clinux_errno() : 0
  }
}
