import CPAM
import Glibc
import SignetTestKit
import SignetWire
import Testing

/// How long the module waits for a signetd that says nothing: not by a clock, which a busy machine makes late, but by what the module
/// asks of the kernel. Each wait that ended without an event counts for the time that was asked for.
@Suite(.enabled(if: access(strace, X_OK) == 0, "needs strace"))
struct WaitingTests {
  private static let answered: [ScriptedDaemon.Step] = [.expect(.authenticate), .send(Packet.heartbeat), touch]

  /// The waits in vain of a login that ends as unavailable, in milliseconds.
  private func waits(for script: [ScriptedDaemon.Step], answers: [String] = []) throws -> [Int] {
    let daemon = try ScriptedDaemon(script)
    defer { _ = try? daemon.finish() }
    return try waits(at: daemon.path, answers: answers)
  }

  private func waits(at socket: String, answers: [String] = [], _ arguments: String...) throws -> [Int] {
    let calls = try calls(socket: socket, code: PAM_AUTHINFO_UNAVAIL, answers: answers, arguments)
    #expect(!calls.contains { $0.contains("nanosleep") || $0.hasPrefix("select") || $0.hasPrefix("epoll") })
    return try vainWaits(in: calls)
  }

  @Test func `nothing is waited for where there is no socket, nobody at it, or no place in its queue`() throws {
    #expect(try waits(at: "/nonexistent/signet") == [])
    let gone = try ScriptedDaemon()
    #expect(try waits(at: gone.path + ".gone") == [])
    let full = try ScriptedDaemon(backlog: 0)
    let others = try (0..<3).map { _ in try ClientSocket(path: full.path) }
    #expect(try waits(at: full.path) == [])
    withExtendedLifetime(others) {}
  }

  @Test func `nothing is waited for where the user is at another machine`() throws {
    #expect(try waits(at: "/nonexistent/signet", "--rhost", "example.org") == [])
  }

  @Test(arguments: 1...3)
  func `nothing is waited for once signetd has gone away, or talks nonsense`(steps: Int) throws {
    let begun = Array(Self.answered.prefix(steps))
    #expect(try waits(for: begun) == [])
    #expect(try waits(for: begun + [.send([PacketLimit.version, 0]), .silence]) == [])
  }

  @Test(arguments: [1, 3])
  func `a signetd that is silent from some step on is waited for less than a second`(steps: Int) throws {
    let waits = try waits(for: Self.answered.prefix(steps) + [.silence])
    #expect(1..<1000 ~= waits.reduce(0, +), "\(waits)")
  }

  @Test func `so is one that is silent while it checks the passcode`() throws {
    let waits = try waits(
      for: [.expect(.authenticate), .send(Packet.askPasscode(.lockout)), .expect(.passcode), .silence], answers: ["horse"])
    #expect(1..<1000 ~= waits.reduce(0, +), "\(waits)")
  }

  @Test func `so is one that does not even accept`() throws {
    let daemon = try ScriptedDaemon()
    let waits = try waits(at: daemon.path)
    #expect(1..<1000 ~= waits.reduce(0, +), "\(waits)")
  }
}
