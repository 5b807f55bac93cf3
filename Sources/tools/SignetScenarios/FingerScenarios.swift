import Glibc
import SignetClient
import SignetVocabulary

// What a finger alone does.
extension Scenario {
  public static let enroll = Scenario(name: "enroll", title: "Enroll a finger") { (stage) throws(Stop) in
    let start = Clock.milliseconds()
    let finger = try stage.enrolledFinger()
    guard stage.isOwnFinger else { throw .cannot("a finger that was enrolled before is used: no other may be") }
    stage.note("enrolled after", since: start)
    guard try stage.enrolledFingers().contains(finger) else { throw .wrong("the enrolled finger is not listed") }
  }

  public static let match = Scenario(name: "match", title: "The enrolled finger is recognised") { (stage) throws(Stop) in
    try stage.match()
    guard try stage.strikes() == 0 else { throw .wrong("a match did not clear the strikes") }
  }

  static let duplicate = Scenario(name: "duplicate", title: "The same finger under another name is refused") {
    (stage) throws(Stop) in
    let finger = try stage.enrolledFinger()
    guard try stage.reader().canIdentify else {
      throw .cannot("the reader compares with one finger at a time, and cannot look for a duplicate")
    }
    let name = try stage.freeName()
    let refusal = try stage.enroll(name) { () throws(Stop) in try stage.hand.perform(.touch(finger)) }
    switch refusal {
    case .duplicateFinger(finger), .duplicateOnReader: return
    case nil:
      try stage.delete(name)
      throw .wrong("the finger is enrolled twice")
    case .some(let refusal): throw .wrong("refused as \(refusal), and not as a duplicate")
    }
  }

  static let poorScan = Scenario(name: "poor-scan", title: "A touch that shows too little is repeated and costs nothing") {
    (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    var talk = try stage.armed()
    let before = try stage.strikes()
    try stage.hand.perform(.touchPoorly)
    switch try talk.next(within: stage.touchTimeout) {
    case .show(.scanAgain, _): break
    case .show(.notRecognised, _) where stage.hand.isPerson:
      throw .cannot("this touch showed enough of the finger to decide; touch with less of it")
    case let said: throw .wrong("it led to \(said)")
    }
    guard try stage.strikes() == before else { throw .wrong("it was charged as a strike of its own") }
    guard try stage.cancel(&talk) == .userCancel else { throw .wrong("the cancel was not one") }
    try stage.match()
  }

  static let cancel = Scenario(name: "cancel", title: "Cancelled in the moment in which the reader is ready") {
    (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    let before = try stage.strikes()
    var talk = try stage.armed()
    let start = Clock.milliseconds()
    guard try stage.cancel(&talk) == .userCancel else { throw .wrong("the cancel was not one") }
    guard Clock.milliseconds() - start < 1_000 else { throw .wrong("the cancel was answered after a second and more") }
    // No finger was there: the strike comes back once the reader has ended.
    try stage.awaitStrikes(before)
    stage.note("strike back after", since: start)
    try stage.match()
  }

  public static let misses = Scenario(name: "misses", title: "Misses, then the passcode") { (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    try stage.requireWayOut()
    var talk = try stage.armed(.deviceOwnerAuthentication)
    let (said, misses) = try stage.missUntilTheEnd(&talk)
    guard case .passcodeWanted(let reason) = said, reason == .misses || reason == .lockout else {
      throw .wrong("after \(misses) misses came \(said)")
    }
    guard try stage.strikes() >= misses else { throw .wrong("not every miss is a strike") }
    try stage.proveByPasscode(&talk)
  }

  public static let lockout = Scenario(name: "lockout", title: "Five misses lock, and only the passcode unlocks") {
    (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    try stage.requireWayOut()
    for _ in 0..<4 where try stage.status().lock != .strikes {
      var talk = try stage.armed()
      guard case .verdict(let verdict, _) = try stage.missUntilTheEnd(&talk).said, verdict != .success else {
        throw .wrong("misses did not end the evaluation")
      }
    }
    let status = try stage.status()
    guard status.lock == .strikes else { throw .wrong("\(status.strikes) strikes do not lock") }
    let start = Clock.milliseconds()
    var talk = try stage.evaluation(of: status.user, .deviceOwnerAuthentication, 60)
    while true {
      switch try talk.next(within: Stage.Limit.answer) {
      case .show(.touchReader, _): throw .wrong("a finger is asked for while the fingerprints are locked")
      case .show: continue
      case .passcodeWanted(.lockout):
        stage.note("passcode asked for after", since: start)
        return try stage.proveByPasscode(&talk)
      case let said: throw .wrong("while the fingerprints are locked came \(said)")
      }
    }
  }
}

extension Stage {
  /// Strikes must go away again.
  func requireWayOut() throws(Stop) {
    guard hand.knowsPasscode || geteuid() == 0 else {
      throw .cannot("nobody could clear the strikes afterwards: neither root nor somebody with the passcode runs it")
    }
  }

  /// Touches with a finger that is not enrolled until no more touches are asked for; what came then, and after how many misses.
  func missUntilTheEnd(_ talk: inout WatchedRequest) throws(Stop) -> (said: WatchedRequest.Said, misses: Int) {
    var misses = 0
    var begin = Clock.milliseconds()
    try hand.perform(.touchOther)
    for _ in 0..<64 {
      switch try next(after: .touchOther, &talk) {
      case .show(.notRecognised, _):
        note("miss told after", since: begin)
        misses += 1
        begin = Clock.milliseconds()
        try hand.perform(.touchOther)
      case .show(.scanAgain, _):
        begin = Clock.milliseconds()
        try hand.perform(.touchOther)
      case .show(.noAttemptsLeft, _), .show(.locked, _): misses += 1
      case .show: continue
      case .verdict(.success, _): throw .wrong("a finger that is not enrolled was recognised")
      case let said: return (said, misses)
      }
    }
    throw .wrong("touches are asked for without end")
  }

  /// What signetd says of a touch. A hand that is no person's touches at once, perhaps before the reader waits again, and that touch is
  /// lost: where nothing is said of it, it is made again.
  private func next(after gesture: Gesture, _ talk: inout WatchedRequest) throws(Stop) -> WatchedRequest.Said {
    for _ in 0..<2 where !hand.isPerson {
      if let said = try talk.nextIfAny(within: Limit.finger / 3) { return said }
      try hand.perform(gesture)
    }
    return try talk.next(within: touchTimeout)
  }

  /// Answers the question for the passcode, after which no strike is left; without one, root clears them.
  func proveByPasscode(_ talk: inout WatchedRequest) throws(Stop) {
    guard hand.knowsPasscode else {
      guard try cancel(&talk) != .success else { throw .wrong("a cancel was a success") }
      return try settle()
    }
    try enterPasscode(&talk)
    while true {
      switch try talk.next(within: Limit.finger) {
      case .show: continue
      case .passcodeWanted(.wrongPasscode): try enterPasscode(&talk)
      case .verdict(.success, .passcode):
        guard try strikes() == 0 else { throw .wrong("the passcode did not clear the strikes") }
        return
      case let said: throw .wrong("the passcode was answered with \(said)")
      }
    }
  }
}
