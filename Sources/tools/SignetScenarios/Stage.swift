import Glibc
import SignetBytes
import SignetClient
import SignetLanguage
import SignetMemory
import SignetVocabulary
import SignetWire

/// Where a scenario plays: one signetd, one hand, one finger that is enrolled for the run. One thread at a time.
public final class Stage {
  /// In milliseconds.
  enum Limit {
    /// How long signetd may take where nobody has to do anything, on a busy machine as well.
    static let answer: Int64 = 10_000
    /// How long a finger may take that is put on at once, from the touch to the verdict, and a slow reader to open.
    static let finger: Int64 = 15_000
    /// How long a person may take to do what they are asked to.
    static let person: Int64 = 90_000
    /// How long a reader may take to end what was cancelled, or to come back.
    static let recovery: Int64 = 30_000
  }

  let socket: String
  let hand: any Hand
  private(set) var signals: Interruptions
  /// The finger that the run enrolls, or one that was enrolled before it.
  public private(set) var finger: Finger?
  private(set) var isOwnFinger = false
  /// Why no finger may be enrolled for the run.
  private let enrollingIsRefused: Sentence?
  /// What the current scenario took, in milliseconds, by what it was for.
  private(set) var timings: [String: Int] = [:]
  /// Which reader the scenarios are for, by its identifier; empty for the only one.
  private let wanted: String

  /// `finger` is enrolled already and is used where nothing may be enrolled, for the reason `enrollingIsRefused`.
  public init(
    socket: String, hand: any Hand, reader: String = "", signals: Interruptions = Interruptions(), finger: Finger? = nil,
    enrollingIsRefused: Sentence? = nil
  ) {
    self.socket = socket
    self.hand = hand
    wanted = reader
    self.signals = signals
    self.finger = finger
    self.enrollingIsRefused = enrollingIsRefused
  }

  func note(_ name: String, since start: Int64) { timings[name] = Int(clamping: Clock.milliseconds() - start) }
  func forgetTimings() { timings = [:] }

  /// How long to wait for what comes after a gesture.
  var touchTimeout: Int64 { hand.isPerson ? Limit.person : Limit.finger }

  static func pause() { _ = poll(nil, 0, 50) }

  // MARK: Requests

  func ask(_ request: AdministrationRequest) throws(Stop) -> WatchedRequest {
    try WatchedRequest(at: socket, signals) { packet throws(FormatError) in try request.write(into: &packet) }
  }

  /// The rows of a request that asks for nothing but rows, 1,000 at most.
  func rows(_ request: AdministrationRequest) throws(Stop) -> [AdministrationReply] {
    var talk = try ask(request)
    var rows: [AdministrationReply] = []
    while rows.count < 1_000 {
      switch try talk.next(within: Limit.finger) {
      case .row(let row): rows.append(row)
      case .done: return rows
      case let said: throw .wrong("a list ended with \(said)")
      }
    }
    throw .wrong("signetd lists without end")
  }

  func readers() throws(Stop) -> [ReaderDescription] {
    try rows(.readers).compactMap { if case .reader(let row) = $0 { row } else { nil } }
  }

  func isOwn(_ reader: ReaderDescription) -> Bool { wanted.isEmpty || reader.identifier == wanted }

  /// The reader that the scenarios are for.
  public func reader() throws(Stop) -> ReaderDescription {
    guard let reader = try readers().first(where: isOwn) else {
      if wanted.isEmpty { throw .cannot("there is no reader") }
      throw .cannot("there is no reader \(wanted)")
    }
    return reader
  }

  func status() throws(Stop) -> StatusRow {
    for case .status(let row) in try rows(.status(user: "")) { return row }
    throw .wrong("signetd says nothing of the strikes")
  }

  func strikes() throws(Stop) -> Int { Int(try status().strikes) }

  public func enrolledFingers() throws(Stop) -> [Finger] {
    try rows(.list(user: "")).compactMap { if case .finger(let row) = $0 { row.finger } else { nil } }
  }

  /// Whether an item of the vault is bound to the enrolled fingers: enrolling one would destroy it.
  public func vaultIsBoundToFingers() throws(Stop) -> Bool {
    var talk = try WatchedRequest(at: socket, signals) { packet throws(FormatError) in
      try VaultRequest.list(user: "").write(into: &packet)
    }
    var isBound = false
    for _ in 0..<100_000 {
      switch try talk.next(within: Limit.finger) {
      case .row(.item(let row)): if row.item.accessControl.constraints.contains(.biometryCurrentSet) { isBound = true }
      case .row: continue
      case .done: return isBound
      // Whatever is wrong with the vault, it is not made worse.
      default: return true
      }
    }
    return true
  }

  // MARK: Fingers

  func enroll(_ finger: Finger, _ gesture: () throws(Stop) -> Void) throws(Stop) -> Refusal? {
    try enroll(finger, reader: wanted, gesture)
  }

  /// Follows an enrolment to its end; `nil` where the finger is enrolled. `gesture` is done at each touch that is asked for.
  func enroll(_ finger: Finger, reader: String, _ gesture: () throws(Stop) -> Void) throws(Stop) -> Refusal? {
    var talk = try ask(.enroll(user: "", finger, reader: reader))
    // A poor scan has to be repeated; so many are no accident.
    for _ in 0..<64 {
      switch try talk.next(within: touchTimeout) {
      case .passcodeWanted: try enterPasscode(&talk)
      case .show(.touchReader, _): try gesture()
      case .show: continue
      case .stage(let completed, let all, _): if completed < all { try gesture() }
      case .done: return nil
      case .refused(let refusal): return refusal
      case let said: throw .wrong("while enrolling: \(said)")
      }
    }
    throw .wrong("enrolling does not come to an end")
  }

  /// Enrolls the finger of the run, unless there is one.
  func enrolledFinger() throws(Stop) -> Finger {
    if let finger { return finger }
    if let enrollingIsRefused { throw .cannot(enrollingIsRefused) }
    let taken = try enrolledFingers()
    let order: [Finger] = [.rightIndexFinger, .leftIndexFinger, .rightMiddleFinger, .leftMiddleFinger] + Finger.allCases
    guard let free = order.first(where: { !taken.contains($0) }) else {
      throw .cannot("all ten fingers are enrolled, and none is replaced for a test")
    }
    if let refusal = try enroll(free, reader: wanted, { () throws(Stop) in try hand.perform(.touch(free)) }) {
      throw .wrong("not enrolled: \(refusal)")
    }
    (finger, isOwnFinger) = (free, true)
    return free
  }

  /// Another name for a finger than those that are enrolled.
  func freeName() throws(Stop) -> Finger {
    let taken = try enrolledFingers()
    guard let free = Finger.allCases.last(where: { !taken.contains($0) }) else { throw .cannot("all ten fingers are enrolled") }
    return free
  }

  func delete(_ finger: Finger) throws(Stop) {
    var talk = try ask(.delete(user: "", finger))
    while true {
      switch try talk.next(within: Limit.finger) {
      case .passcodeWanted: try enterPasscode(&talk)
      case .show: continue
      case .done: return
      case let said: throw .wrong("\(finger.name) is not deleted: \(said). Delete it with: signet delete \(finger.name)")
      }
    }
  }

  func enterPasscode(_ talk: inout WatchedRequest) throws(Stop) {
    guard var passcode = SecretBytes(capacity: 4096) else { throw .cannot("no memory is left") }
    try hand.enterPasscode(into: &passcode)
    try talk.answer(passcode)
  }

  /// Leaves no finger of the run behind; no signal ends this any more.
  public func finish() throws(Stop) {
    signals = Interruptions()
    guard isOwnFinger, let finger else { return }
    try delete(finger)
    (self.finger, isOwnFinger) = (nil, false)
  }
}
