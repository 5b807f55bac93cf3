#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// One request to signetd and what comes back, as a state machine without I/O: which packet may come when, how long it is
/// waited for, what is sent, and when it is over.
///
/// Packets and moments go in (milliseconds of one clock), what to do comes out. An error that is thrown ends the exchange;
/// only a cancel may be sent then. `PendingRequest` runs it.
public struct Exchange: Sendable {
  /// What the asking program expects of signetd. Times are in milliseconds.
  public struct Terms: Sendable {
    /// How long signetd may say nothing, unless it waits for the passcode.
    public var silence: Int32
    /// When the exchange is given up even though signetd goes on talking; longer than any machine runs, if not set.
    public var limit: Int64 = 1 << 50
    /// The same, counted from a passcode on: checking it may take as long again.
    public var passcodeLimit: Int64 = 1 << 50
    /// How long a cancelled request may take to end; 0: it is not waited for.
    public var farewell: Int32 = 0
    /// How often signetd may ask for the passcode.
    public var passcodes = 0
    public var ending = Ending.reply
    /// How long a busy signetd is asked again.
    public var busyTimeout: Int64 = 2_000
    /// How long signetd may take to start before it says anything.
    public var start: Int64 = 20_000

    public init(silence: Int32) { self.silence = silence }
  }

  /// Which packet is the last one.
  public enum Ending: Sendable {
    /// `done` or `refused`.
    case reply
    /// `verdict`, of `authenticate`.
    case verdict
    /// `evaluated`, of `evaluate`, or `refused`.
    case evaluation
  }

  /// What to do about a packet or a key.
  public enum Action: Equatable, Sendable {
    /// Nothing but to wait on.
    case wait
    /// signetd is alive and at work.
    case heartbeat
    /// Show this to the user. The detail is the last bytes of the packet, so many.
    case show(Prompt, value: UInt8, detail: Int)
    /// Send this request: `fallback`, `cancel`, or the passcode that was typed.
    case send(RequestKind)
    /// The program has something to do.
    case deliver(Message)
    /// signetd is busy: the connection is over. `asksAgain` says when the next is to be made.
    case pause
  }

  /// What the program has to answer or to take.
  public enum Message: Equatable, Sendable {
    /// Ask the user for the passcode, and answer or cancel.
    case passcodeWanted(PasscodeReason)
    /// The user typed something while the passcode is asked for.
    case typed
    /// The end of an evaluation. A success has its token in the packet.
    case verdict(Verdict, EvidenceMethod)
    /// The end of an application's evaluation.
    case evaluated(EvaluatedReply)
    /// Any other reply: `done` and `refused` end the exchange. The program reads the packet's fields.
    case reply(ReplyKind)
  }

  private enum State {
    /// It is signetd's turn, since it was last heard, or asked.
    case working(since: Int64)
    /// signetd is busy; it is asked again at this moment.
    case pausing(until: Int64)
    /// It is the user's turn, who is not hurried: a passcode was asked for.
    case asking
    /// Cancelled; the end is waited for until this moment.
    case leaving(until: Int64)
    /// Given up, and signetd may still be told.
    case failed
    /// signetd has decided.
    case over
  }

  private let terms: Terms
  private var state: State
  private var deadline: Int64
  private let startsBy: Int64
  private var passcodesLeft: Int
  private var busyRetry: BusyRetry
  /// Whether signetd was being started when it was last looked at.
  private var wasStarting = false
  /// Whether signetd has begun with the request: it is not asked again then.
  private var isBegun = false
  private var isPasscodeSent = false
  /// Whether another process may have sent the passcode.
  private var wasHandedOver = false
  private var mayFallBack = true
  /// Whether signetd knows that it is listened to while the user is asked for the passcode.
  private var isFollowing = false
  /// Whether the finger was asked for beside the passcode: either may be what proves a success then.
  private var isFingerAskedBeside = false

  /// The request has just been sent.
  public init(_ terms: Terms, at now: Int64) {
    self.terms = terms
    state = .working(since: now)
    deadline = now &+ terms.limit
    startsBy = now &+ terms.start
    passcodesLeft = terms.passcodes
    busyRetry = BusyRetry(for: terms.busyTimeout, from: now)
  }

  /// Whether the user is being asked for the passcode.
  public var isAsking: Bool { if case .asking = state { true } else { false } }

  /// Whether what the user types is of use: an answer, or the key for the passcode.
  public var watchesKeys: Bool {
    switch state {
    case .asking: true
    case .working: mayFallBack
    case .pausing, .leaving, .failed, .over: false
    }
  }

  /// How long to wait for the next event, in milliseconds; -1 for as long as it takes.
  public mutating func wait(at now: Int64) throws(ClientError) -> Int32 {
    switch state {
    case .working(let since):
      guard now < deadline else { throw fail(.overdue) }
      return milliseconds(from: now, to: min(since &+ Int64(terms.silence), deadline))
    case .asking: return -1
    case .pausing(let until): return milliseconds(from: now, to: until)
    case .leaving(let until):
      guard now < until else { throw fail(.cancelled) }
      return milliseconds(from: now, to: until)
    case .failed, .over: throw fail(.closed(0))
    }
  }

  private func milliseconds(from now: Int64, to end: Int64) -> Int32 {
    Int32(truncatingIfNeeded: max(0, min(end &- now, Int64(Int32.max))))
  }

  /// Nothing came until now.
  public mutating func nothingCame(at now: Int64) throws(ClientError) {
    guard case .working(let since) = state, now &- since >= Int64(terms.silence) else { return }
    // It came to the end of its start at some moment since it was last looked at, perhaps just now: it has its whole time.
    guard wasStarting, !isBegun else { throw fail(.silent) }
    wasStarting = false
    state = .working(since: now)
  }

  /// signetd has not said anything because it is being started: its silence counts from now on, for as long as that may take.
  public mutating func starting(at now: Int64) {
    guard case .working = state, !isBegun else { return }
    wasStarting = now < startsBy
    if wasStarting { state = .working(since: now) }
  }

  /// Ends the exchange, for instance because the connection broke, and gives the error back to be thrown.
  public mutating func fail(_ error: ClientError) -> ClientError {
    switch state {
    case .working, .pausing, .asking: state = .failed
    case .leaving: state = .over
    case .failed, .over: break
    }
    return error
  }
}

// MARK: The user

extension Exchange {
  /// The user pressed Enter for the passcode. To ask for that once is enough, and all that signetd allows.
  public mutating func keyPressed(at now: Int64) -> Action {
    guard mayFallBack, case .working = state else { return .wait }
    mayFallBack = false
    state = .working(since: now)
    return .send(.fallback)
  }

  /// The user typed the passcode. It is sent where it was asked for, and nowhere else.
  public mutating func passcodeTyped(at now: Int64) throws(ClientError) -> Action {
    guard case .asking = state else { throw fail(.malformed) }
    isPasscodeSent = true
    deadline = now &+ terms.passcodeLimit
    state = .working(since: now)
    return .send(.passcode)
  }

  /// The program goes on listening while it asks for the passcode: the finger may be asked for again.
  public mutating func following() -> Action {
    guard case .asking = state, !isFollowing else { return .wait }
    isFollowing = true
    return .send(.follow)
  }

  /// The user wants the finger to be asked for, where the passcode comes first.
  public mutating func fingerWanted(at now: Int64) -> Action {
    guard case .asking = state else { return .wait }
    state = .working(since: now)
    // Nothing was answered yet: it may be asked for again.
    passcodesLeft &+= 1
    return .send(.fallback)
  }

  /// The program sent something else, or stood still and was continued: signetd has its whole time again.
  public mutating func resumed(at now: Int64) {
    if case .working = state { state = .working(since: now) }
  }

  /// Another process shows and asks from here on, and has come to its end or will: what it sent is its own affair.
  public mutating func handedOver() {
    wasHandedOver = true
    mayFallBack = false
    isBegun = true
  }

  /// The program gives up: signetd is told, once, that it was not only the connection that broke.
  public mutating func cancelled(at now: Int64) -> Action {
    switch state {
    case .leaving, .over: return .wait
    // Nobody is connected who could be told.
    case .pausing:
      state = .over
      return .wait
    case .failed: state = .over
    case .working, .asking: state = .leaving(until: now &+ Int64(terms.farewell))
    }
    return .send(.cancel)
  }
}

// MARK: signetd

extension Exchange {
  /// A packet arrived.
  public mutating func received(_ packet: borrowing SecretBytes, at now: Int64) throws(ClientError) -> Action {
    switch state {
    case .working, .asking: break
    // What comes after a cancel decides nothing any more, a success least of all.
    case .pausing, .leaving, .failed, .over: return .wait
    }
    if let crowd = crowd(in: packet.span) { return try turnedAway(by: crowd, at: now) }
    do throws(FormatError) { return try take(packet.span, at: now) } catch { throw fail(.malformed) }
  }

  private mutating func take(_ packet: Span<UInt8>, at now: Int64) throws(FormatError) -> Action {
    var fields = ByteReader(packet)
    guard let kind = ReplyKind(rawValue: try fields.header()), isExpected(kind) else { throw .badValue }
    resumed(at: now)
    isBegun = true
    switch kind {
    case .heartbeat, .show, .askPasscode, .verdict: return try take(LoginReply(parsing: packet))
    case .done:
      try fields.end()
      state = .over
    case .refused: state = .over
    case .row, .value, .askValue, .issued, .sealingKey, .enrollStage: break
    // One that is well formed was seen before.
    case .evaluated: return try take(EvaluatedReply(parsing: packet))
    case .busy: throw .badValue
    }
    return .deliver(.reply(kind))
  }

  /// While the passcode is asked for, signetd may still refuse, but do nothing that needs it.
  private func isExpected(_ kind: ReplyKind) -> Bool {
    switch kind {
    case .heartbeat, .busy: true
    case .show: !isAsking || isFollowing
    case .askPasscode: !isAsking && passcodesLeft > 0
    case .verdict: terms.ending == .verdict
    case .evaluated: terms.ending == .evaluation
    case .refused: terms.ending != .verdict
    case .done, .row, .value, .askValue, .issued, .sealingKey, .enrollStage: terms.ending == .reply && !isAsking
    }
  }

  private mutating func take(_ reply: LoginReply) throws(FormatError) -> Action {
    switch reply {
    case .heartbeat: return .heartbeat
    case .show(let prompt, let value, let detail):
      if isAsking, prompt == .touchReader { isFingerAskedBeside = true }
      return .show(prompt, value: value, detail: detail.count)
    case .askPasscode(let reason):
      passcodesLeft &-= 1
      state = .asking
      return .deliver(.passcodeWanted(reason))
    case .verdict(let verdict, let method, _, _):
      try require(method, for: verdict)
      state = .over
      return .deliver(.verdict(verdict, method))
    case .busy: throw .badValue
    }
  }

  private mutating func take(_ reply: EvaluatedReply) throws(FormatError) -> Action {
    try require(reply.method, for: reply.verdict)
    state = .over
    return .deliver(.evaluated(reply))
  }

  /// What proved a success must be what was asked for last, or one of both where both were.
  private func require(_ method: EvidenceMethod, for verdict: Verdict) throws(FormatError) {
    if isFingerAskedBeside, method == .fingerprint { return }
    let proof = isPasscodeSent ? EvidenceMethod.passcode : .fingerprint
    guard verdict != .success || (method == proof || wasHandedOver) && !isAsking else { throw .badValue }
  }
}

// MARK: A busy signetd

extension Exchange {
  /// There is no place for the request: it is made again after a pause, where nothing of it was done yet and there is time left.
  public mutating func turnedAway(by crowd: Crowd, at now: Int64) throws(ClientError) -> Action {
    // A login that services crowd out has its own passcode prompt to go to, and goes there at once.
    let hasElsewhere = terms.ending == .verdict && crowd == .ofServices
    guard !isBegun, !hasElsewhere, case .working = state, let next = busyRetry.next(at: now) else { throw fail(.busy(crowd)) }
    state = .pausing(until: next)
    return .pause
  }

  /// Whether the pause is over; the request is made again then, with all its time.
  public mutating func asksAgain(at now: Int64) -> Bool {
    guard case .pausing(let until) = state, now >= until else { return false }
    state = .working(since: now)
    deadline = now &+ terms.limit
    return true
  }
}
