import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// The reader goes while somebody is asked, and comes back while the passcode is asked for.
@Suite struct AwayReaderTests {
  private let scene: Scene
  private let client: LoginClient

  /// Somebody is asked for the passcode, because the reader was pulled out, and goes on listening.
  init() throws {
    scene = try Scene()
    client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    try scene.reader.unplug()
    #expect(try client.afterShowing() == .askPasscode(.readerUnavailable))
    try client.follow()
  }

  /// Virtual readers come back when somebody else finds them, and are free when that one is served.
  private func plugIn() throws { try scene.attemptOnceBack("right") }

  @Test func `the finger is asked for beside the passcode, and is taken`() throws {
    try plugIn()
    try client.awaitArmed()
    try scene.reader.scan("right")
    #expect(try client.verdict().verdict == .success)
  }

  @Test func `the passcode is taken all the same, and ends the scan`() throws {
    try plugIn()
    try client.awaitArmed()
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.verdict().verdict == .success)
    try scene.daemon.awaitStrikes(0)
  }

  @Test func `misses count on, and after the last the passcode alone is left`() throws {
    try plugIn()
    for number in 1...3 {
      if number == 1 { try client.awaitArmed() }
      try scene.reader.scan("wrong")
      guard case .show(let prompt, _, _) = try client.next() else {
        Issue.record("no word after miss \(number)")
        return
      }
      #expect(prompt == (number < 3 ? .notRecognised : .noAttemptsLeft))
    }
    #expect(scene.daemon.strikesOnDisk == 3)
    try client.answer(passcode: "wrong")
    #expect(try client.verdict().verdict == .authenticationFailed)
  }

  @Test func `a cancel ends it, and costs nothing`() throws {
    try plugIn()
    try client.awaitArmed()
    try client.cancel()
    #expect(try client.verdict().verdict == .userCancel)
    try scene.daemon.awaitStrikes(0)
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a wrong passcode is refused, and no finger counts after it`() throws {
    try plugIn()
    try client.awaitArmed()
    try client.answer(passcode: "wrong")
    #expect(try client.verdict().verdict == .authenticationFailed)
  }
}
