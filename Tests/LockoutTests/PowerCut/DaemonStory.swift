import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire

/// A user's fingers on a real signetd with its state on a recorded disk: everything that changes what is on it.
///
/// Before each request that may change the disk, both the old and the new state count as allowed. Once signetd has shown that the
/// change is made, by arming the reader, reporting a miss or answering, only the new one does.
final class DaemonStory {
  private let recorder: Recorder
  private let reader: VirtualReader
  private let daemon: RunningDaemon
  /// The strikes when nothing is under way.
  private var strikes = 0
  private var now = Expectation()

  init(_ recorder: Recorder) throws {
    self.recorder = recorder
    reader = try VirtualReader(.device)
    recorder.promise(now, "at first")
    daemon = try RunningDaemon(reader, options: ["--state-dir", recorder.stateDirectory])
  }

  func play() throws {
    try enroll(.rightIndexFinger, leaving: [.rightIndexFinger])
    try miss(2)
    try match()
    try enroll(.leftIndexFinger, leaving: [.leftIndexFinger, .rightIndexFinger])
    try miss(3)
    try lockAndUnlock(after: 2)
    try enroll(.rightIndexFinger, leaving: [.leftIndexFinger, .rightIndexFinger])
    try enterWrongPasscode()
    try requirePasscode()
    try reset()
    try delete(.leftIndexFinger, leaving: [.rightIndexFinger])
    try kill()
    daemon.end(SIGTERM)
  }

  // MARK: What is done

  private func miss(_ count: Int) throws {
    let client = try arm()
    try miss(count, with: client)
    // After three it asks for the passcode instead.
    if count < 3 { try client.cancel() }
    _ = try client.verdict()
    settled(strikes, "the login of \(count) misses has ended")
  }

  private func match() throws {
    let client = try arm()
    begins("a right finger", reaching: 0)
    try reader.scan("right")
    guard try client.verdict().isSuccess else { throw TestKitError("the right finger does not match") }
    // Told before the disk was waited for, so this much may still be there: it errs towards the lock.
    strikes = 0
  }

  private func lockAndUnlock(after misses: Int) throws {
    let client = try arm()
    try miss(misses, with: client)
    guard case .askPasscode(.lockout) = try client.afterShowing() else { throw TestKitError("not locked") }
    settled(strikes, "locked")
    begins("the passcode", reaching: 0)
    promise("the passcode is entered") { $0.wrongPasscodes = 0...1 }
    try client.answer(passcode: RunningDaemon.passcode)
    guard try client.verdict().isSuccess else { throw TestKitError("the passcode does not unlock") }
    // Told before the disk was waited for, as a match is; the next login waits for it.
    strikes = 0
    let next = try arm()
    promise("the passcode was right") { $0.wrongPasscodes = 0...0 }
    begins("a cancel", reaching: 0)
    try next.cancel()
    _ = try next.verdict()
    settled(0, "the next login was cancelled")
  }

  private func enterWrongPasscode() throws {
    let client = try arm()
    begins("a wish for the passcode", reaching: strikes)
    try client.fallback()
    guard case .askPasscode = try client.afterShowing() else { throw TestKitError("no passcode is asked for") }
    settled(strikes, "the passcode is asked for")
    promise("a wrong passcode is entered") { $0.wrongPasscodes = 0...1 }
    try client.answer(passcode: "wrong")
    guard try client.verdict().verdict == .authenticationFailed else { throw TestKitError("a wrong passcode is right") }
    promise("the passcode was wrong") { $0.wrongPasscodes = 1...1 }
  }

  private func requirePasscode() throws {
    promise("a lock is asked for") { $0.isLockRequested = nil }
    try ask(.lock(user: daemon.user))
    promise("the passcode is required") { $0.isLockRequested = true }
  }

  private func kill() throws {
    let client = try arm()
    daemon.end(SIGKILL)
    guard try client.next() == .closed else { throw TestKitError("signetd lives on") }
    strikes += 1
    settled(strikes, "signetd was killed while the reader was armed")
    try daemon.start()
  }

  private func enroll(_ finger: Finger, leaving fingers: [Finger]) throws {
    let before = now.fingers
    promise("\(finger) is being enrolled") { $0.fingers = before + [fingers] }
    try daemon.enroll(finger, as: finger == .rightIndexFinger ? "right" : "left", on: reader)
    promise("\(finger) is enrolled") {
      $0.fingers = [fingers]
      $0.mayBeMissing = false
    }
  }

  private func delete(_ finger: Finger, leaving fingers: [Finger]) throws {
    let before = now.fingers
    promise("\(finger) is being deleted") { $0.fingers = before + [fingers] }
    try ask(.delete(user: daemon.user, finger))
    promise("\(finger) is deleted") { $0.fingers = [fingers] }
  }

  private func reset() throws {
    begins("a reset", reaching: 0)
    promise("a reset begins") { ($0.wrongPasscodes, $0.isLockRequested) = (0...1, nil) }
    try ask(.reset(user: daemon.user))
    strikes = 0
    promise("root has reset the strikes") { ($0.strikes, $0.wrongPasscodes, $0.isLockRequested) = (0...0, 0...0, false) }
  }

  private func ask(_ request: AdministrationRequest) throws {
    let client = try daemon.connect()
    try client.send(request)
    let answer = try client.nextAdministration()
    guard answer == .done else { throw TestKitError("\(request): \(answer)") }
  }

  /// A login until its reader is armed: its strike is on disk by then.
  private func arm() throws -> LoginClient {
    let client = try daemon.connect()
    begins("a login", reaching: strikes + 1)
    try client.authenticate(daemon.user)
    try client.awaitArmed()
    settled(strikes + 1, "the reader is armed")
    return client
  }

  /// Wrong fingers on an armed reader. After each it is armed anew at the price of another strike, which is given back
  /// when the login ends.
  private func miss(_ count: Int, with client: LoginClient) throws {
    for _ in 1...count {
      begins("a wrong finger", reaching: strikes + 2)
      try reader.scan("wrong")
      try client.awaitMiss()
      strikes += 1
      promise("miss \(strikes) is told") { $0.strikes = strikes...strikes + 1 }
    }
  }

  // MARK: What is promised

  private func begins(_ what: String, reaching count: Int) {
    promise("\(what) begins") {
      $0.strikes = min($0.strikes.lowerBound, count)...max($0.strikes.upperBound, count)
    }
  }

  private func settled(_ count: Int, _ event: String) { promise(event) { $0.strikes = count...count } }

  private func promise(_ event: String, _ change: (inout Expectation) -> Void) {
    change(&now)
    recorder.promise(now, event)
  }
}
