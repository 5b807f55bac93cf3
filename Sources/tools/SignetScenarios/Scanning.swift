import Glibc
import SignetBytes
import SignetClient
import SignetLanguage
import SignetMemory
import SignetVocabulary
import SignetWire

extension Stage {
  /// Begins an evaluation whose reader waits for a finger.
  func armed(
    _ policy: Policy = .deviceOwnerAuthenticationWithBiometrics, timeout: UInt16 = 120
  ) throws(Stop) -> WatchedRequest {
    var said = WatchedRequest.Said.noPlace
    let talk = try opened(policy, timeout: timeout, &said)
    guard case .show(.touchReader, _) = said else { throw .wrong("no finger is asked for, but \(said)") }
    return talk
  }

  /// Begins an evaluation, and tells what signetd says first. A reader that still ends what was before is waited for.
  private func opened(_ policy: Policy, timeout: UInt16, _ said: inout WatchedRequest.Said) throws(Stop) -> WatchedRequest {
    let deadline = Clock.milliseconds() + Limit.recovery
    let user = try status().user
    while true {
      let start = Clock.milliseconds()
      var talk = try evaluation(of: user, policy, timeout)
      said = try talk.next(within: Limit.finger)
      switch said {
      case .show(.readerBusy, _), .show(.readerUnavailable, _), .verdict(.biometryNotAvailable, _):
        guard Clock.milliseconds() < deadline else { throw .wrong("the reader does not come back: \(said)") }
        try? talk.cancel()
        Stage.pause()
      case .show(.touchReader, _):
        note("asked for a finger after", since: start)
        try hand.readerIsArmed()
        return talk
      default: return talk
      }
    }
  }

  func evaluation(of user: String, _ policy: Policy, _ timeout: UInt16) throws(Stop) -> WatchedRequest {
    try WatchedRequest(at: socket, signals) { packet throws(FormatError) in
      try AuthenticateRequest(
        policy: policy, timeout: timeout, user: user.utf8.span, service: "signet".utf8.span, terminal: Span(),
        remoteHost: Span()
      ).write(into: &packet)
    }
  }

  /// The enrolled finger is recognised. A touch that the reader did not see well is repeated.
  func match() throws(Stop) {
    let finger = try enrolledFinger()
    var said = WatchedRequest.Said.noPlace
    var talk = try opened(.deviceOwnerAuthenticationWithBiometrics, timeout: 120, &said)
    // A reader may decide about a finger that lies there before it says that it waits for one.
    if case .verdict(.success, .fingerprint) = said { return }
    guard case .show(.touchReader, _) = said else { throw .wrong("no finger is asked for, but \(said)") }
    var begin = Clock.milliseconds()
    try hand.perform(.touch(finger))
    for _ in 0..<12 {
      switch try talk.next(within: touchTimeout) {
      case .verdict(.success, .fingerprint):
        note("recognised after", since: begin)
        return
      case .show(.scanAgain, _), .show(.notRecognised, _):
        begin = Clock.milliseconds()
        try hand.perform(.touch(finger))
      case .show: continue
      case let said: throw .wrong("the enrolled finger is not recognised: \(said)")
      }
    }
    throw .wrong("the enrolled finger is not recognised, however often it touches")
  }

  /// What ends an evaluation of which nothing more is wanted; the reader need not be done with it.
  func cancel(_ talk: inout WatchedRequest) throws(Stop) -> Verdict {
    let start = Clock.milliseconds()
    try talk.cancel()
    while true {
      switch try talk.next(within: Limit.answer) {
      case .verdict(let verdict, _):
        note("cancelled after", since: start)
        return verdict
      case .show, .passcodeWanted: continue
      case let said: throw .wrong("a cancel is answered with \(said)")
      }
    }
  }

  /// Waits for so many strikes: what is given back after a cancel may come later than its verdict.
  func awaitStrikes(_ count: Int) throws(Stop) {
    let deadline = Clock.milliseconds() + Limit.recovery
    while true {
      let strikes = try strikes()
      if strikes == count { return }
      guard Clock.milliseconds() < deadline else { throw .wrong("\(strikes) strikes, where \(count) must be") }
      Stage.pause()
    }
  }

  /// Waits until this holds of the readers that signetd lists; throws what is wrong where it does not come to it.
  func awaitReaders(_ what: Sentence, _ holds: ([ReaderDescription]) -> Bool) throws(Stop) {
    let deadline = Clock.milliseconds() + (hand.isPerson ? Limit.person : Limit.recovery)
    while !holds(try readersIfTold()) {
      guard Clock.milliseconds() < deadline else { throw .wrong(what) }
      Stage.pause()
    }
  }

  /// None where signetd cannot tell: signet-reader ends with a reader that is pulled out while it looks at it.
  private func readersIfTold() throws(Stop) -> [ReaderDescription] {
    do throws(Stop) { return try readers() } catch {
      guard case .wrong = error else { throw error }
      return []
    }
  }

  /// Clears strikes before they disturb the next scenario: as root, else by the enrolled finger.
  func settle() throws(Stop) {
    let status = try status()
    guard status.strikes > 0 || status.lock == .strikes else { return }
    if geteuid() == 0 {
      var talk = try ask(.reset(user: status.user))
      guard case .done = try talk.next(within: Limit.answer) else { throw .wrong("root cannot clear the strikes") }
      // A scan that a scenario left behind has its strike until signetd has ended it.
      try awaitStrikes(0)
    } else if status.lock == .none, finger != nil {
      try match()
    }
  }
}
