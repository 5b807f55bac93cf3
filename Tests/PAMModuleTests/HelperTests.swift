import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A packet that signetd would never send at this point.
struct Nonsense: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var packet: [UInt8]

  static let all = [
    Nonsense(testDescription: "one byte", packet: [1]), Nonsense(testDescription: "version 0", packet: [0, 64]),
    Nonsense(testDescription: "version 2", packet: [2, 64]), Nonsense(testDescription: "kind 0", packet: [1, 0]),
    Nonsense(testDescription: "a request", packet: [1, RequestKind.authenticate.rawValue]),
    Nonsense(testDescription: "a row", packet: [1, ReplyKind.row.rawValue, 1]),
    Nonsense(testDescription: "done", packet: Packet.done),
    Nonsense(testDescription: "a refused request", packet: [1, ReplyKind.refused.rawValue, 1]),
    Nonsense(testDescription: "a heartbeat and more", packet: Packet.heartbeat + [0]),
    Nonsense(testDescription: "an unknown prompt", packet: [1, ReplyKind.show.rawValue, 99, 0, 0, 0]),
    Nonsense(testDescription: "a detail cut short", packet: [1, ReplyKind.show.rawValue, 5, 0, 9, 0, 65]),
    Nonsense(testDescription: "a detail too long", packet: [1, 65, 5, 0, 129, 0] + [UInt8](repeating: 65, count: 129)),
    Nonsense(testDescription: "an unknown reason", packet: [1, ReplyKind.askPasscode.rawValue, 99]),
    Nonsense(testDescription: "a success without token", packet: [1, 67, 0xA5, 1, 0, 0]),
    Nonsense(testDescription: "a success with half a token", packet: [1, 67, 0xA5, 1, 16, 0] + [UInt8](repeating: 7, count: 16)),
    Nonsense(testDescription: "a success by nothing", packet: [1, 67, 0xA5, 0, 32, 0] + token),
    Nonsense(testDescription: "a success by an unknown method", packet: [1, 67, 0xA5, 9, 32, 0] + token),
    Nonsense(testDescription: "a success and more", packet: Packet.success(.fingerprint, token: token) + [0]),
    Nonsense(testDescription: "a failure with a token", packet: [1, 67, 1, 0, 32, 0] + token),
    Nonsense(testDescription: "5,000 bytes", packet: [UInt8](repeating: 1, count: 5000)),
    Nonsense(
      testDescription: "a success in a packet too long",
      packet: Packet.success(.fingerprint, token: token) + [UInt8](repeating: 0, count: 5000)),
  ]
}

@Suite struct HelperTests {
  @Test(arguments: Nonsense.all)
  func `nonsense is unavailable, whatever comes after it`(nonsense: Nonsense) throws {
    let (host, _) = try run([.expect(.authenticate), .send(nonsense.packet), success, .silence])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test(arguments: Nonsense.all)
  func `nonsense while a finger is waited for is unavailable, whatever comes after it`(nonsense: Nonsense) throws {
    let (host, _) = try run([.expect(.authenticate), .send(Packet.heartbeat), touch, .send(nonsense.packet), success, .silence])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test func `no socket is unavailable`() throws {
    let host = try runAlone()
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.texts == [])
  }

  @Test func `nobody at the socket is unavailable`() throws {
    let path = try ScriptedDaemon().path + ".gone"
    #expect(try runAlone(options: "socket=\(path)").code == PAM_AUTHINFO_UNAVAIL)
  }

  // How long each of these is waited for: see WaitingTests.

  @Test func `a signetd that never answers is given up`() throws {
    let (host, _) = try run([.expect(.authenticate), .silence])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.texts == [])
  }

  @Test func `one that does not even accept is given up`() throws {
    let daemon = try ScriptedDaemon()
    #expect(try runAlone(options: "socket=\(daemon.path)").code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test func `one whose queue is full is given up`() throws {
    let daemon = try ScriptedDaemon(backlog: 0)
    let waiting = try (0..<3).map { _ in try ClientSocket(path: daemon.path) }
    #expect(try runAlone(options: "socket=\(daemon.path)").code == PAM_AUTHINFO_UNAVAIL)
    withExtendedLifetime(waiting) {}
  }

  @Test func `one that falls silent during a scan is given up`() throws {
    let (host, _) = try run([.expect(.authenticate), .send(Packet.heartbeat), touch, .silence])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test(arguments: [0, 1, 2])
  func `one that goes away is unavailable`(step: Int) throws {
    let steps: [ScriptedDaemon.Step] = [.expect(.authenticate), .send(Packet.heartbeat), touch]
    let (host, _) = try run(Array(steps[...step]))
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test func `one that goes away before the passcode reaches it is unavailable`() throws {
    let (host, _) = try run([.expect(.authenticate), .send(Packet.askPasscode(.lockout))], answers: ["horse"])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  @Test func `one that falls silent while it checks the passcode is given up`() throws {
    let (host, _) = try run(
      [.expect(.authenticate), .send(Packet.askPasscode(.lockout)), .expect(.passcode), .silence], answers: ["horse"])
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
  }

  // Both go on until the module closes: that it does is what these two see.

  @Test func `heartbeats keep a login alive to its time-out, and no longer`() throws {
    let (host, _) = try run([.expect(.authenticate), .drip(Packet.heartbeat, 100)], options: "timeout=1")
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.milliseconds >= 2900)
  }

  @Test func `so does a flood of messages`() throws {
    let (host, _) = try run([.expect(.authenticate), .flood(Packet.show(.scanAgain))], options: "timeout=1", "--silent")
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.milliseconds >= 2900)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to listen as another user"))
  func `a listener that is neither root nor the caller is not believed, and told nothing`() throws {
    let impostor = try Impostor(uid: 65534)
    let host = try runAlone(options: "socket=\(impostor.path)", "--log")
    #expect(host.code == PAM_AUTHINFO_UNAVAIL)
    #expect(host.log.first?.contains("not believed") == true)
  }

  @Test func `hundreds of logins in one process leave nothing behind`() throws {
    let script: [ScriptedDaemon.Step] = [
      .expect(.authenticate), touch, .send(Packet.askPasscode(.misses)), .expect(.passcode),
      .send(Packet.success(.passcode, token: token)),
    ]
    let daemon = try ScriptedDaemon(Array(repeating: script, count: 300))
    let configuration = try PAMConfiguration().add("signet-test", options: "socket=\(daemon.path)")
    let host = try HostRun.run(
      ["--service", "signet-test", "--confdir", configuration.path, "--user", "alice", "--state", "--runs", "300"],
      answers: ["horse"], launcher: ["prlimit", "--nofile=24", "--"])
    try daemon.finish()
    let states = host.steps.filter { $0.step == "state" }
    #expect(states.count == 300)
    #expect(states.allSatisfy { $0.differences == [] })
    #expect(host.steps.filter { $0.step == "authenticate" }.allSatisfy { $0.code == PAM_SUCCESS })
    // The first runs fill malloc's and libpam's own caches.
    #expect(Set(states.dropFirst(20).compactMap(\.mappings)).count == 1)
  }
}
