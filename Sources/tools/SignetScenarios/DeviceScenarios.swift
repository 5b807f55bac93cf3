import Glibc
import SignetClient
import SignetVocabulary

// What a reader, or the machine, does.
extension Scenario {
  public static let unplug = Scenario(name: "unplug", title: "Pulled out in the middle of a scan") { (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    let before = try stage.strikes()
    var talk = try stage.armed(.deviceOwnerAuthentication)
    let start = Clock.milliseconds()
    try stage.hand.perform(.unplug)
    try stage.during(.plug) { () throws(Stop) in
      try stage.expectPasscodeWithoutReader(&talk, since: start)
      // A finger may have been on it.
      guard try stage.strikes() == before + 1 else { throw .wrong("the plug bought a look at a finger that nobody pays for") }
      if stage.hand.unplugLasts { try stage.expectNothingWithoutReader() }
    }
    try stage.match()
  }

  static let replug = Scenario(name: "replug", title: "Pulled out and put back between two logins") { (stage) throws(Stop) in
    try stage.match()
    try stage.hand.perform(.unplug)
    try stage.hand.perform(.plug)
    let start = Clock.milliseconds()
    try stage.awaitReaders("after \(Stage.Limit.recovery / 1000) s the reader is not listed again") {
      $0.contains(where: stage.isOwn)
    }
    try stage.match()
    stage.note("usable again after", since: start)
    guard try stage.strikes() == 0 else { throw .wrong("a replug left strikes") }
  }

  /// How much the reader may still send: nothing, a part of a header, and what ends in the midst of most answers.
  static let frozenBytes = [0, 1, 7, 64, 1_000]

  static let freeze = Scenario(name: "freeze", title: "Frozen in the middle of an answer") { (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    for bytes in Scenario.frozenBytes {
      var talk = try stage.armed(timeout: 2)
      try stage.hand.perform(.freeze(after: bytes))
      try stage.during(.thaw) { () throws(Stop) in
        // Never the enrolled finger: whatever becomes of the scan, a success would be wrong.
        try stage.hand.perform(.touchOther)
        try stage.expectNoSuccess(&talk, frozenAfter: bytes)
      }
      try stage.match()
    }
  }

  static let suspend = Scenario(name: "suspend", title: "The machine sleeps while a finger is waited for") {
    (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    let before = try stage.strikes()
    var talk = try stage.armed()
    let start = Clock.milliseconds()
    try stage.perform(.suspend)
    try stage.during(.resume) { () throws(Stop) in
      let said = try stage.afterShowing(&talk)
      guard said == .verdict(.systemCancel, .none) else { throw .wrong("the sleep led to \(said)") }
      stage.note("cancelled after", since: start)
    }
    try stage.awaitStrikes(before)
    try stage.match()
  }

  static let storageFull = Scenario(name: "storage-full", title: "The reader's own memory is full") { (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    guard try stage.reader().hasStorage else { throw .cannot("the reader keeps no prints") }
    let name = try stage.freeName()
    let refusal = try stage.enroll(name) { () throws(Stop) in
      try stage.hand.perform(.fillStorage)
      try stage.hand.perform(.touchOther)
    }
    try stage.hand.perform(.emptyStorage)
    switch refusal {
    case .storageFull, .storageNotCleared: break
    case nil:
      try stage.delete(name)
      throw .wrong("a full reader took another print")
    case .some(let refusal): throw .wrong("refused as \(refusal), and not because the reader is full")
    }
    guard try !stage.enrolledFingers().contains(name) else { throw .wrong("the finger is listed all the same") }
    try stage.match()
  }

  static let twoReaders = Scenario(name: "two-readers", title: "Two readers at once") { (stage) throws(Stop) in
    _ = try stage.enrolledFinger()
    guard try stage.readers().count < 2 else { return try stage.expectTwoReaders() }
    try stage.hand.perform(.addReader)
    try stage.during(.removeReader) { () throws(Stop) in try stage.expectTwoReaders() }
    try stage.match()
  }
}

extension Stage {
  /// Whatever becomes of `body`, the next scenario has a reader that works, and a machine that is awake.
  fileprivate func during(_ end: Gesture, _ body: () throws(Stop) -> Void) throws(Stop) {
    do throws(Stop) { try body() } catch {
      try? perform(end)
      throw error
    }
    try perform(end)
  }

  /// Of two readers the user has to name one for a finger to be enrolled; a login takes it at either.
  fileprivate func expectTwoReaders() throws(Stop) {
    try awaitReaders("after \(Limit.recovery / 1000) s the second reader is not listed") { $0.count >= 2 }
    let refusal = try enroll(try freeName(), reader: "") { () throws(Stop) in
      throw .wrong("a finger is asked for, and nobody said on which reader")
    }
    guard case .severalReaders = refusal else {
      throw .wrong("enrolling, without saying on which reader, is refused as \(refusal.map { "\($0)" } ?? "nothing")")
    }
    try match()
  }

  /// The passcode is asked for, because there is no reader any more.
  fileprivate func expectPasscodeWithoutReader(_ talk: inout WatchedRequest, since start: Int64) throws(Stop) {
    let said = try afterShowing(&talk)
    guard said == .passcodeWanted(.readerUnavailable) else { throw .wrong("it led to \(said)") }
    note("passcode asked for after", since: start)
    guard try cancel(&talk) == .userCancel else { throw .wrong("the cancel was not one") }
  }

  /// While there is no reader a login by finger is told so at once, and pays nothing.
  fileprivate func expectNothingWithoutReader() throws(Stop) {
    let status = try status()
    let start = Clock.milliseconds()
    var talk = try evaluation(of: status.user, .deviceOwnerAuthenticationWithBiometrics, 60)
    let said = try afterShowing(&talk)
    guard said == .verdict(.biometryNotAvailable, .none) else { throw .wrong("without a reader a login led to \(said)") }
    note("told that it is gone after", since: start)
    guard try strikes() == status.strikes else { throw .wrong("a login without a reader was charged") }
  }

  /// A scan that cannot come to its end ends by its time-out, or as a failure of the reader; and never as a success.
  fileprivate func expectNoSuccess(_ talk: inout WatchedRequest, frozenAfter bytes: Int) throws(Stop) {
    let start = Clock.milliseconds()
    while true {
      switch try talk.next(within: touchTimeout) {
      case .verdict(.success, _): throw .wrong("frozen after \(bytes) bytes, and yet a success")
      // It was not frozen before its end.
      case .show(.notRecognised, _):
        guard try cancel(&talk) == .userCancel else { throw .wrong("the cancel was not one") }
        return
      case .show: continue
      case .verdict(.biometryNotAvailable, _), .verdict(.authenticationFailed, _):
        note("given up after, frozen at \(bytes)", since: start)
        return
      case let said: throw .wrong("frozen after \(bytes) bytes it led to \(said)")
      }
    }
  }

  fileprivate func afterShowing(_ talk: inout WatchedRequest) throws(Stop) -> WatchedRequest.Said {
    while true {
      let said = try talk.next(within: hand.isPerson ? Limit.person : Limit.answer)
      if case .show(let prompt, _) = said, prompt != .touchReader { continue }
      return said
    }
  }

  /// By a hand that can; a sleep else as the system's own unit says it to signetd, which is root's to do.
  fileprivate func perform(_ gesture: Gesture) throws(Stop) {
    do throws(Stop) { return try hand.perform(gesture) } catch {
      guard case .cannot = error, gesture == .suspend || gesture == .resume, geteuid() == 0 else { throw error }
    }
    var talk = try ask(gesture == .suspend ? .suspend : .resume)
    guard case .done = try talk.next(within: Limit.answer) else { throw .wrong("signetd does not take the \(gesture.line)") }
  }
}
