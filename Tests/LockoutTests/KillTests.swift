import CPAM
import Glibc
import SignetTestKit
import SignetWire
import Testing

/// The host and the passcode's checker killed at every system call that they make; signetd and signet-reader are killed so
/// in LoginTests.CrashTests. No strike is lost, nobody gets in, and no check is half a success.
@Suite(
  .serialized,
  .enabled(if: Strace.isAvailable, "needs root and strace; `make deps` installs strace, CI runs as root"))
struct KillTests {
  private let scene: Scene
  private var log: String { scene.daemon.folder + "/calls" }

  init() throws { scene = try Scene() }

  private func order(_ request: AdministrationRequest) throws {
    let client = try scene.daemon.connect()
    try client.send(request)
    guard try client.nextAdministration() == .done else { throw TestKitError("\(request) is refused") }
  }

  /// A login with three wrong fingers, under strace; how many misses the host was told of.
  private func miss(killingAt step: Step?) throws -> (misses: Int, run: HostRun) {
    let host = try LoginHost(
      scene.daemon, answers: [""], launcher: Strace.launcher(log: log, killingAt: step), arguments: [])
    var misses = 0
    let run = try host.finish(presenting: ["wrong", "wrong", "wrong"], on: scene.reader) { message in
      if message.hasPrefix("Fingerprint not recognised") || message.hasPrefix("No fingerprint attempts left") { misses += 1 }
    }
    return (misses, run)
  }

  @Test func `the host killed at any step keeps every strike that it was told of`() throws {
    _ = try miss(killingAt: nil)
    let steps = try Strace.steps(in: log, from: scene.daemon.socket)
    try #require(steps.count > 20, "only \(steps.count) steps were seen")
    var killed = 0
    for step in steps {
      try order(.reset(user: scene.daemon.user))
      let (misses, run) = try miss(killingAt: step)
      if run.status == -SIGKILL { killed += 1 }
      #expect(run.code != PAM_SUCCESS, "at \(step)")
      #expect(try scene.status().strikes >= misses, "at \(step)")
      // What it left behind holds nobody up.
      _ = try scene.armed()
    }
    #expect(killed * 10 >= steps.count * 8, "only \(killed) of \(steps.count) steps were reached")
  }

  /// Puts strace before signet-passcode.
  private func traceChecks(killingAt step: Step?) throws {
    let words = Strace.launcher(log: log, killingAt: step).joined(separator: " ")
    let script = "#!/bin/sh\nexec \(words) \(try ReaderChannel.program("signet-passcode")) \"$@\"\n"
    try writeScript(script, to: scene.daemon.folder + "/bin/signet-passcode")
  }

  /// One passcode of a user who is locked.
  private func enter(_ passcode: String) throws -> LoginClient.Reply {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.lockout))
    try client.answer(passcode: passcode)
    return try client.afterShowing()
  }

  @Test(arguments: ["wrong horse", RunningDaemon.passcode])
  func `the passcode's checker killed at any step says nothing, and the lock stays`(passcode: String) throws {
    try scene.replace("signet-passcode", by: "exit 1")
    try traceChecks(killingAt: nil)
    try order(.lock(user: ""))
    let calm = try enter(passcode)
    #expect(calm.isSuccess == (passcode == RunningDaemon.passcode))
    let steps = try Strace.steps(in: log, from: "recv")
    try #require(steps.count > 20, "only \(steps.count) steps were seen")
    for step in steps {
      try order(.reset(user: scene.daemon.user))
      try order(.lock(user: ""))
      try traceChecks(killingAt: step)
      let reply = try enter(passcode)
      #expect(!reply.isSuccess || passcode == RunningDaemon.passcode, "at \(step)")
      #expect(reply.isSuccess == (try scene.status().lock == .none), "at \(step): \(reply)")
    }
  }
}
