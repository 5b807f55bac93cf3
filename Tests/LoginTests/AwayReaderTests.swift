import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// The reader goes while somebody is asked, and comes back while the passcode is asked for.
@Suite struct AwayReaderTests {
  private let scene: Scene
  private let client: LoginClient
  /// The reader was armed when it was pulled out: a finger may have been on it.
  private let ofUnplugging = 1

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

  /// Puts the reader back, and waits until the client is asked for the finger. Virtual readers are back when somebody looks for them:
  /// another login, which lets them go again where the client has not come first.
  private func plugIn() throws {
    let deadline = PAMHost.microseconds() + Int64(waitingLimit) * 1000
    while PAMHost.microseconds() < deadline {
      let other = try scene.daemon.connect()
      try other.authenticate(scene.daemon.user)
      let word = try other.next()
      let (isArmed, isBusy) = (word.shows(.touchReader), word.shows(.readerBusy))
      // Else the passcode's question is cancelled.
      if isArmed { try other.cancel() }
      #expect(try other.verdict().verdict == .userCancel)
      if isArmed || isBusy { return try client.awaitArmed() }
    }
    throw TestKitError("the reader does not come back")
  }

  @Test func `the finger is asked for beside the passcode, and is taken`() throws {
    try plugIn()
    try scene.reader.scan("right")
    #expect(try client.verdict().verdict == .success)
  }

  @Test func `the passcode is taken all the same, and ends the scan`() throws {
    try plugIn()
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.verdict().verdict == .success)
    try scene.daemon.awaitStrikes(0)
  }

  @Test func `misses count on, and after the last the passcode alone is left`() throws {
    try plugIn()
    for number in 1...3 {
      try scene.reader.scan("wrong")
      guard case .show(let prompt, _, _) = try client.next() else {
        Issue.record("no word after miss \(number)")
        return
      }
      #expect(prompt == (number < 3 ? .notRecognised : .noAttemptsLeft))
    }
    #expect(scene.daemon.strikesOnDisk == ofUnplugging + 3)
    try client.answer(passcode: "wrong")
    #expect(try client.verdict().verdict == .authenticationFailed)
  }

  @Test func `a cancel ends it, and costs nothing`() throws {
    try plugIn()
    try client.cancel()
    #expect(try client.verdict().verdict == .userCancel)
    try scene.daemon.awaitStrikes(ofUnplugging)
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a wrong passcode is refused, and no finger counts after it`() throws {
    try plugIn()
    try client.answer(passcode: "wrong")
    #expect(try client.verdict().verdict == .authenticationFailed)
  }
}

extension LoginClient.Reply {
  fileprivate func shows(_ prompt: Prompt) -> Bool { if case .show(prompt, _, _) = self { true } else { false } }
}
