import SignetTestKit
import SignetVocabulary
import Testing

/// The first table: what can be evaluated. The lines are of policy 1 (biometrics), 2 (device owner) and 3 (watch).
@Suite(.serialized) struct CanEvaluateTests {
  /// A passcode service that says that there is none.
  private static let noPasscode = "auth [default=die] pam_deny.so"

  private func codes(_ scene: Scene) throws -> [String] {
    try scene.run("can").filter { $0.hasPrefix("can") }.map { line in
      line.split(separator: " ")[2...3].joined(separator: " ")
    }
  }

  @Test(arguments: languageModes)
  func `a passcode and a finger: both`(mode: Int) throws {
    let scene = try Scene()
    #expect(
      try scene.run("can", mode: mode).filter { $0.hasPrefix("can") } == [
        "can 1 true 0 type 1 state 32", "can 2 true 0 type 1 state nil", "can 3 false -11 type 1 state nil",
      ])
  }

  @Test func `no finger: the passcode`() throws {
    #expect(try codes(Scene(enrolls: false)) == ["false -7", "true 0", "false -11"])
  }

  @Test func `no signetd: nothing, and that is said`() throws {
    let program = try AppleProgram(["can"], socket: "/nonexistent/socket")
    let lines = try program.lines()
    #expect(lines.filter { $0.contains("false -6") }.count == 3)
  }

  @Test func `five misses lock every program out, until the passcode`() throws {
    let scene = try Scene()
    #expect(try scene.evaluate("completion", 1) { try $0.miss(3, scene.reader) } == "evaluated authenticationFailed -1")
    #expect(try scene.evaluate("async", 1) { try $0.miss(2, scene.reader) } == "evaluated biometryLockout -8")
    #expect(try codes(scene) == ["false -8", "true 0", "false -11"])
    #expect(try scene.evaluate("completion", 1) == "evaluated biometryLockout -8")
    // sudo is locked by them, too, and the passcode there opens it for all.
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.lockout))
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.afterShowing().verdict == .success)
    #expect(try codes(scene) == ["true 0", "true 0", "false -11"])
  }
}
