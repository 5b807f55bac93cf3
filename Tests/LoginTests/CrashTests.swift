import Glibc
import SignetTestKit
import Testing

/// Promise 2: strikes survive the death of each process at every step of an attempt.
@Suite(
  .serialized,
  .enabled(if: Strace.isAvailable, "needs root and strace; `make deps` installs strace, CI runs as root"))
struct CrashTests {
  private let reader: VirtualReader
  private let daemon: RunningDaemon

  init() throws {
    reader = try VirtualReader(.device)
    daemon = try RunningDaemon(reader)
    try daemon.enroll(.rightIndexFinger, as: "right", on: reader)
  }

  /// What a client saw of an attempt until it ended, however it ended.
  private struct Observation {
    var misses = 0
    var isSuccess = false
    /// The attempt came to a verdict; without one the daemon died.
    var isComplete = false
  }

  /// One scan with `finger`, then a cancel. Nothing that goes wrong on the way is an error here.
  private func attempt(_ finger: String) -> Observation {
    var observation = Observation()
    guard let client = try? daemon.connect(), (try? client.authenticate(daemon.user, timeout: 5)) != nil else {
      return observation
    }
    while let reply = try? client.next(within: 6_000) {
      switch reply {
      case .show(.touchReader, _, _): _ = try? reader.scan(finger)
      case .show(.notRecognised, _, _), .show(.noAttemptsLeft, _, _), .show(.locked, _, _):
        observation.misses += 1
        _ = try? client.cancel()
      case .show: continue
      case .askPasscode: _ = try? client.cancel()
      case .verdict:
        observation.isSuccess = reply.isSuccess
        observation.isComplete = true
        return observation
      case .busy, .closed: return observation
      }
    }
    return observation
  }

  private func reset() throws {
    let client = try daemon.connect()
    try client.send(.reset(user: daemon.user))
    #expect(try client.nextAdministration() == .done)
  }

  /// Two misses that count, made without interruption.
  private func missTwice() throws {
    for _ in 0..<2 { #expect(attempt("wrong").misses == 1) }
    // The charge for the scan that was cancelled is given back a moment after the verdict.
    try daemon.awaitStrikes(2)
  }

  private func restart() throws {
    daemon.end(SIGKILL)
    try daemon.start()
  }

  /// Makes an attempt with the target killed at every step that such an attempt has, and mends things after each.
  private func killAtEveryStep(_ target: () -> pid_t?, of finger: String, mending: () throws -> Void) throws {
    let calm = try Strace(#require(target()))
    _ = attempt(finger)
    let steps = try calm.steps()
    try mending()
    try #require(steps.count > 30, "only \(steps.count) steps were seen")
    var killed = 0
    for step in steps {
      let pid = try #require(target())
      let strace = try Strace(pid, killingAt: step)
      let observation = check(finger, step)
      // After a verdict it may still die at a late step; without one it is dead or dying.
      if ends(pid, within: observation.isComplete ? 50 : 10_000) { killed += 1 }
      withExtendedLifetime(strace) {}
      try mending()
    }
    // A few steps of one run need not occur in the next (timers, allocation).
    #expect(killed * 10 >= steps.count * 8, "only \(killed) of \(steps.count) steps were reached")
  }

  /// Makes an attempt and checks that no strike was lost in it.
  private func check(_ finger: String, _ step: Step) -> Observation {
    let before = daemon.strikesOnDisk ?? -1
    let observation = attempt(finger)
    let after = daemon.strikesOnDisk ?? -1
    #expect(
      observation.isSuccess ? finger == "right" : after >= before + observation.misses,
      "at \(step): \(observation), \(before) strikes before, \(after) after")
    return observation
  }

  @Test func `signetd killed at any step of a miss keeps every strike that was seen`() throws {
    try killAtEveryStep({ daemon.pid }, of: "wrong") {
      try restart()
      if daemon.strikesOnDisk ?? 5 >= 3 { try reset() }
    }
  }

  @Test func `signetd killed at any step of a match never lowers the strikes without a success`() throws {
    try missTwice()
    try killAtEveryStep({ daemon.pid }, of: "right") {
      try restart()
      guard daemon.strikesOnDisk != 2 else { return }
      try reset()
      try missTwice()
    }
  }

  @Test func `signet-reader killed at any step never gives a strike back`() throws {
    try replaceReader()
    try killAtEveryStep({ daemon.readerPid }, of: "wrong") { try replaceReader() }
  }

  /// Scans until a new signet-reader runs: the first scan after its death may find it dying.
  private func replaceReader() throws {
    for _ in 0..<10 {
      try reset()
      let observation = attempt("wrong")
      try reset()
      if observation.misses > 0, daemon.readerPid != nil { return }
    }
    Issue.record("no new signet-reader after ten scans")
  }
}
