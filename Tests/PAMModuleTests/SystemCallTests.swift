import CPAM
import Glibc
import SignetTestKit
import Testing

let strace = "/usr/bin/strace"

/// The system calls between two lines of pam-host: those of pam_authenticate, and of the conversation. `code`: how it must end.
func calls(
  socket: String, code: Int32 = PAM_SUCCESS, answers: [String] = [], _ arguments: [String] = []
) throws -> [String] {
  let log = try PAMConfiguration()
  let configuration = try PAMConfiguration().add("signet-test", options: "socket=\(socket)")
  let host = try HostRun.run(
    ["--service", "signet-test", "--confdir", configuration.path, "--user", "alice"] + arguments, answers: answers,
    launcher: [strace, "-o", "\(log.path)/calls", "-s", "60"])
  try #require(host.code == code)
  return try calls(in: "\(log.path)/calls", until: "authenticate")
}

/// Those in a log of strace's, from the start to this line of pam-host's.
func calls(in log: String, until step: String) throws -> [String] {
  let lines = try RawFile.text(log).split(separator: "\n").map(String.init)
  let start = try #require(lines.firstIndex { $0.contains(#"write(1, "{\"step\":\"start\""#) })
  let end = try #require(lines.firstIndex { $0.contains(#"write(1, "{\"step\":\""# + step + #"\""#) })
  return Array(lines[(start + 1)..<end])
}

/// For how many milliseconds each poll(2) among these calls was to wait that nothing ended but its time.
func vainWaits(in calls: [String]) throws -> [Int] {
  try calls.filter { $0.prefix(6).contains("poll(") && $0.contains("(Timeout)") }.map { try #require(limit(of: $0)) }
}

/// That of `poll([…], 2, 750) = 0 (Timeout)`, or of `ppoll([…], 2, {tv_sec=0, tv_nsec=750000000}, …`.
private func limit(of call: String) -> Int? {
  if let match = call.firstMatch(of: #/tv_sec=(\d+), tv_nsec=(\d+)/#), let seconds = Int(match.1), let rest = Int(match.2) {
    return seconds * 1000 + rest / 1_000_000
  }
  return call.firstMatch(of: #/, (\d+)\) *= 0/#).flatMap { Int($0.1) }
}

@Suite(.enabled(if: access(strace, X_OK) == 0, "needs strace"))
struct SystemCallTests {
  private func calls(_ script: [ScriptedDaemon.Step], answers: [String] = []) throws -> [String] {
    let daemon = try ScriptedDaemon(script)
    let calls = try PAMModuleTests.calls(socket: daemon.path, answers: answers)
    try daemon.finish()
    return calls
  }

  @Test func `a login by finger takes the host few system calls`() throws {
    let calls = try calls([.expect(.authenticate), .send(Packet.heartbeat), touch, success])
    // Then libpam tells the kernel's audit, in more calls where the host is not root.
    let ours = calls.prefix { !$0.contains("NETLINK_AUDIT") }
    #expect(ours.count < calls.count && ours.count <= 35, "\(ours.joined(separator: "\n"))")
  }

  @Test func `a login secret takes the host not one system call more`() throws {
    let secret = ScriptedDaemon.Step.send(Packet.success(.fingerprint, token: token, secret: Array("correct horse".utf8)))
    let without = try calls([.expect(.authenticate), .send(Packet.heartbeat), touch, success])
    let with = try calls([.expect(.authenticate), .send(Packet.heartbeat), touch, secret])
    #expect(with.map(name) == without.map(name))
  }

  /// "recvfrom" of "recvfrom(4, …".
  private func name(of call: String) -> Substring { call.prefix { $0 != "(" } }

  @Test func `every descriptor is opened close-on-exec`() throws {
    let calls = try calls(
      [
        .expect(.authenticate), .send(Packet.heartbeat), touch, .send(Packet.askPasscode(.misses)), .expect(.passcode),
        .send(Packet.success(.passcode, token: token)),
      ], answers: ["horse"])
    let opening = calls.filter { call in ["socket(", "open", "signalfd", "dup"].contains { call.hasPrefix($0) } }
      // libpam's own audit socket.
      .filter { !$0.contains("NETLINK_AUDIT") }
    #expect(opening.count >= 3)
    #expect(opening.allSatisfy { $0.contains("CLOEXEC") }, "\(opening)")
  }

  @Test func `waiting is one poll for each thing that happens`() throws {
    let calls = try calls([.expect(.authenticate), .send(Packet.heartbeat), touch, success])
    // ppoll where the kernel has no poll, as on aarch64.
    #expect(calls.filter { $0.prefix(6).contains("poll(") && $0.contains("fd=-1") }.count == 3)
    #expect(!calls.contains { $0.contains("nanosleep") })
  }
}
