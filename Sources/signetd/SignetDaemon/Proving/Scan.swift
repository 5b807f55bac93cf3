import DaemonAccounts
import DaemonConnections
import DaemonPasscodes
import DaemonReaders
import DaemonService
import SignetAuthentication
import SignetMachine
import SignetMemory
import SignetVocabulary

/// The scanning part of an authentication. A strike is charged and durable before the reader is armed, and the one verdict of that
/// scan settles it; a match is settled by who uses its evidence. Tests/LockoutTests/Protocol/charging.pml has the same steps, for a program
/// that tries every order of them: what changes here changes there.
struct Scan {
  let attempt: Attempt
  let fingers: [EnrolledFinger]
  /// Whether a match opens the vault, which after a restart takes the place of the passcode.
  let liftsRestart: Bool
  /// A reader that was away, where the passcode is being asked for already.
  var away: AwayReader?

  enum Outcome: ~Copyable {
    case matched(Match)
    case stopped(Evaluation.Next)
    /// Somebody else has the readers; what follows for who waits for none of that.
    case held(Evaluation.Next)
  }

  /// A finger that matched, with the strike that is still charged for it and the reader on which it may still lie.
  struct Match: ~Copyable {
    let evidence: AuthenticationEvidence
    let finger: Finger
    /// Whether it was asked for by its name.
    let isNamed: Bool
    let strike: ChargedStrike
    let reader: ReaderSession
  }

  /// How one charged scan went.
  private enum ScanResult {
    case match(operation: UInt32, finger: Finger)
    case miss(operation: UInt32)
    /// The evaluation's poor scans are used up.
    case exhausted(Evaluation.Next)
    /// Nothing was decided.
    case undecided(Evaluation.Stop)
    /// It stopped, and a finger may have decided something that did not reach us.
    case doubtful(Evaluation.Stop)
    /// It was armed and is to be cancelled.
    case cancelled(operation: UInt32, Evaluation.Stop)
  }

  private typealias Interruption = ClientConnection.Interruption

  private var client: ClientConnection { attempt.client }
  private var phase: PermittedRequests.Phase { away == nil ? .scanning : .scanningBeside }
  private var lock: LockReason { attempt.account.lock(liftingRestart: liftsRestart) }

  /// `presence`: whether the user has a passcode, which is known before anything is charged or armed.
  func run(
    _ evaluation: inout Evaluation, _ presence: borrowing PasscodePresence.Question
  ) throws(ClientConnection.Interruption) -> Outcome {
    let reached: [EnrolledFinger]
    switch try attempt.reach(of: fingers, in: phase) {
    case .answer(let fingers?): reached = fingers
    case .answer(nil): return .stopped(try covered(&evaluation))
    case .request(let kind): return .stopped(try stopped(Evaluation.Stop(kind), &evaluation))
    }
    let claim = claim()
    away?.wasTried(claim.map { if case .heldBy = $0 { false } else { true } } ?? true)
    switch claim {
    case nil: return .stopped(evaluation.stop(.readerUnavailable))
    // The user was told when the passcode was asked for. This try was made without being asked.
    case .heldBy where away != nil: return .stopped(evaluation.stop(.readerUnavailable))
    case .heldBy(let other):
      Log.write(.notice, "reader busy", attempt.fields + [("holder", "\(other.service) of \(other.user.name)")])
      try client.show(.readerBusy, detail: other.publicName)
      attempt.record(.readerUnavailable(.busy))
      return .held(evaluation.stop(.readerUnavailable))
    case .asleep:
      Log.write(.notice, "no reader: the machine is about to sleep", attempt.fields)
      return .stopped(try stopped(.readerUnavailable, &evaluation))
    case .exhausted: return .stopped(try stopped(.readerUnavailable, &evaluation))
    case .lease(let lease):
      client.phase = phase
      return try scan(reached, with: ReaderSession(lease: lease, client: client), &evaluation, presence)
    }
  }

  /// Only a user at the machine is told that its lid is closed.
  private func covered(_ evaluation: inout Evaluation) throws(Interruption) -> Evaluation.Next {
    guard attempt.failureOfLocation() == nil else { return evaluation.stop(.readerUnavailable) }
    Log.write(.info, "no finger is asked for: the lid is closed", attempt.fields)
    return try stopped(.lidClosed, &evaluation)
  }

  /// The readers, or why there are none; `nil` where the hand at the reader can be another's.
  ///
  /// Readers that are free are taken before it is known where the asker is, which is found out while they open. One who has
  /// them is made to let go only for somebody who is known to be at the seat.
  private func claim() -> ReaderClaim? {
    func claim(at location: ReaderHolder.Location) -> ReaderClaim {
      attempt.prover.readers.claim(
        for: ReaderHolder(attempt.user, service: attempt.request.service, by: client.peer, at: location))
    }
    let first = claim(at: .elsewhere)
    guard case .heldBy = first, attempt.isForOwner else { return first }
    return attempt.failureOfLocation() == nil ? claim(at: attempt.place) : nil
  }

  private func scan(
    _ fingers: [EnrolledFinger], with reader: ReaderSession, _ evaluation: inout Evaluation,
    _ presence: borrowing PasscodePresence.Question
  ) throws(Interruption) -> Outcome {
    // The client may ask to wait for long, but others want the reader, too.
    let timeout = min(attempt.request.timeout, Int64(attempt.policy.fingerTimeout) * 1000)
    let deadline = bootMilliseconds() + timeout
    var opening = OpeningReaders(fingers: fingers, of: attempt.prover.store)
    var isFirst = true
    var call = TouchCall(opening, 0, of: attempt)
    // The reader opens while the passcode is asked about and the strike is being written; it is armed after all of that.
    guard opening.begin(with: reader) else { return .stopped(try stopped(.readerUnavailable, &evaluation)) }
    // Nothing is charged or armed yet.
    if attempt.failureOfLocation() != nil { return .stopped(evaluation.stop(.readerUnavailable)) }
    if attempt.isForOwner { reader.isAt(attempt.place) }
    if let stop = try obstacle(presence) { return .stopped(try stopped(stop, &evaluation)) }
    let order = try order()
    while true {
      let strike: ChargedStrike
      do { strike = try attempt.account.charge(liftingRestart: liftsRestart) } catch {
        return .stopped(try refused(error, &evaluation))
      }
      if let stop = opening.finish(with: reader, until: deadline, attempt.fields) {
        giveBack(strike, evaluation.poorScans)
        return .stopped(try stopped(stop, &evaluation))
      }
      if isFirst { call = TouchCall(opening, order, of: attempt) }
      guard call.isChosen(with: reader) else {
        giveBack(strike, evaluation.poorScans)
        return .stopped(try stopped(.readerUnavailable, &evaluation))
      }
      // The first scan is asked for; what is said after a miss or a poor scan asks for the next.
      var prompt = isFirst ? call : nil
      isFirst = false
      switch try scanOnce(with: reader, opening, &evaluation, prompt: &prompt, until: deadline) {
      case .match(let operation, let finger):
        if let evidence = evaluation.match(operation: operation) {
          return .matched(Match(evidence: evidence, finger: finger, isNamed: call.isNamed, strike: strike, reader: reader))
        }
        strike.keep()
        return .stopped(try stopped(.readerUnavailable, &evaluation))
      case .miss(let operation):
        strike.keep()
        call.missed()
        let next = evaluation.miss(operation: operation, isLockedNow: lock != .none)
        attempt.record(.missed(strikes: attempt.strikes))
        guard case .scan(let missesLeft) = next else {
          return .stopped(try ended(next ?? .end(.authenticationFailed)))
        }
        // Whichever is nearer, the end of this evaluation or the lock.
        try client.show(.notRecognised, value: UInt8(clamping: min(missesLeft, attempt.account.missesLeft)))
        try call.showNext()
      case .exhausted(let next):
        strike.keep()
        attempt.record(.poorScansExhausted(strikes: attempt.strikes))
        return .stopped(try ended(next))
      case .undecided(let reason):
        giveBack(strike, evaluation.poorScans)
        return .stopped(try stopped(reason, &evaluation))
      case .cancelled(let operation, let reason):
        // Answered at once: the strike waits for the reader, the user does not.
        let scan = CancelledScan(strike, of: attempt, poorScans: evaluation.poorScans)
        reader.cancel(operation) { scan.settle($0) }
        return .stopped(try stopped(reason, &evaluation))
      case .doubtful(let reason):
        strike.keep()
        attempt.record(.strikeKept(strikes: attempt.strikes))
        return .stopped(try stopped(reason, &evaluation))
      }
    }
  }

  /// Whether the passcode is asked for beside the finger. Not where none would be looked at: nobody types it in vain.
  private func order() throws(Interruption) -> UInt8 {
    if away != nil { return 0 }
    guard attempt.policy.prompt == .either else { return TouchForm.fingerFirst }
    let delay = attempt.account.passcodeDelay(from: attempt.source)
    guard attempt.request.policy == .deviceOwnerAuthentication, delay > 0 else { return 0 }
    try client.show(.passcodeDelayed, value: DelayForm.value(of: delay))
    return TouchForm.fingerFirst | TouchForm.alone
  }

  /// Why there is no scan, because of the user's passcode or because the client does not wait until it is known.
  private func obstacle(_ presence: borrowing PasscodePresence.Question) throws(Interruption) -> Evaluation.Stop? {
    switch try presence.wait(for: client) {
    case .answer(.isSet): return nil
    case .answer(.notSet): return .passcodeNotSet
    case .answer(.unknown):
      // It may be locked, and then a finger must not open what the passcode does not.
      Log.write(.error, "no finger is asked for: nobody says whether there is a passcode", attempt.fields)
      return .readerUnavailable
    case .request(let kind): return Evaluation.Stop(kind)
    }
  }

  /// Arms the reader for one charged scan, again after each poor scan, until something is decided or it stops.
  private func scanOnce(
    with reader: ReaderSession, _ opening: OpeningReaders, _ evaluation: inout Evaluation, prompt: inout TouchCall?,
    until deadline: Int64
  ) throws(Interruption) -> ScanResult {
    while true {
      let operation = reader.nextOperation()
      evaluation.arm(operation: operation)
      guard (try? reader.send(.identify(operation: operation))) != nil else { return .doubtful(.readerUnavailable) }
      switch awaitResult(operation, reader, opening, prompt: prompt, until: deadline) {
      case .result(let result): return result
      case .poorScan(let retry):
        let next = evaluation.poorScan(operation: operation) ?? .end(.biometryNotAvailable)
        Log.write(.info, "poor scan: \(retry)", attempt.fields)
        guard case .scan = next else { return .exhausted(next) }
        try client.show(.scanAgain, value: retry.rawValue)
        prompt = nil
      }
    }
  }

  private enum ScanStep {
    case result(ScanResult)
    case poorScan(ScanRetry)
  }

  /// Waits for what an armed reader, the client or the clock says first. (`armed` in charging.pml.)
  private func awaitResult(
    _ operation: UInt32, _ reader: ReaderSession, _ opening: OpeningReaders, prompt: TouchCall?, until deadline: Int64
  ) -> ScanStep {
    var isArmed = false
    // A first scan has nothing to wait for but its driver; a further one also for the finger that was there to be lifted.
    let armingEnd = prompt == nil ? nil : min(deadline, bootMilliseconds() + ReaderSession.openLimit)
    while true {
      switch reader.next(of: operation, until: isArmed ? deadline : armingEnd ?? deadline) {
      case .event(.armed):
        isArmed = true
        try? prompt?.show()
        // While the user lifts a finger there is time for it.
        client.learnProcess()
      case .event(.match(_, let index)):
        guard let finger = opening.finger(Int(index)) else {
          Log.write(.error, "the reader matched a finger that it was not given", attempt.fields)
          reader.giveUp()
          return .result(.doubtful(.readerUnavailable))
        }
        return .result(.match(operation: operation, finger: finger))
      case .event(.miss): return .result(.miss(operation: operation))
      case .event(.poorScan(_, let retry)): return .poorScan(retry)
      case .event(.failed(_, let failure, let explanation)):
        Log.write(.error, "the reader failed: \(explanation)", attempt.fields + [("failure", "\(failure)")])
        let stop = Evaluation.Stop(failure)
        // What goes wrong while a reader is made ready comes before `armed`. Afterwards any failure may hide a verdict.
        let isBefore = failure == .tooHot || !isArmed
        return .result(isBefore && !reader.sawFinger(in: operation) ? .undecided(stop) : .doubtful(stop))
      // `FingerTrace` remembers them.
      case .event(.finger), .event(.fingerOff): continue
      // These belong to other operations.
      case .event(.reader), .event(.listed), .event(.opened), .event(.enrollStage), .event(.enrolled), .event(.pruned),
        .event(.idle), .event(.examined):
        continue
      case .request(let kind): return .result(.cancelled(operation: operation, Evaluation.Stop(kind)))
      case .deadline where !isArmed && armingEnd != nil:
        // Nobody was asked for a finger, so nobody was too slow. Some drivers wait for what their device never says, and would next time.
        Log.write(.warning, "cannot use the readers: none was ready for a finger in time", attempt.fields)
        reader.giveUp()
        return .result(.cancelled(operation: operation, .readerUnavailable))
      case .deadline: return .result(.cancelled(operation: operation, .timedOut))
      case .interrupted(let why): return .result(.cancelled(operation: operation, Evaluation.Stop(why)))
      case .recalled: return .result(.cancelled(operation: operation, .readerTaken))
      case .trouble(let trouble):
        Log.write(.error, "signet-reader is \(trouble)", attempt.fields)
        return .result(.doubtful(.readerUnavailable))
      }
    }
  }

  private func giveBack(_ strike: consuming ChargedStrike, _ poorScans: Int) {
    CancelledScan(strike, of: attempt, poorScans: poorScans).settle(.undecided)
  }

  private func refused(
    _ refusal: Account.ChargeRefusal, _ evaluation: inout Evaluation
  ) throws(Interruption) -> Evaluation.Next {
    switch refusal {
    case .locked: return try ended(evaluation.begin(isLocked: true))
    case .busy: return try stopped(.readerUnavailable, &evaluation)
    case .notDurable(let error):
      Log.write(.error, "no scan, because its strike could not be made durable: \(error.description)", attempt.fields)
      attempt.record(.stateUnusable)
      try client.show(.readerUnavailable, value: UnavailableForm.noRoom)
      return evaluation.stop(.readerUnavailable)
    }
  }

  /// Tells the user why scanning stopped.
  private func stopped(
    _ reason: Evaluation.Stop, _ evaluation: inout Evaluation
  ) throws(Interruption) -> Evaluation.Next {
    switch reason {
    case .readerUnavailable, .readerGone:
      attempt.record(.readerUnavailable(nil))
      try client.show(.readerUnavailable)
    case .readerTooHot:
      attempt.record(.readerUnavailable(.tooHot))
      try client.show(.readerUnavailable, value: UnavailableForm.tooHot)
    case .readerHeld: try held()
    case .readerTaken:
      attempt.record(.readerUnavailable(.busy))
      try client.show(.readerBusy, detail: "somebody at this machine")
    // Not for the history: nothing is wrong, and a docked laptop would have it at every login.
    case .lidClosed: try client.show(.readerUnavailable, value: UnavailableForm.lidClosed)
    case .timedOut: try client.show(.timedOut)
    case .passcodeNotSet, .userFallback, .passcodeTyped, .userCancel, .systemCancel, .appCancel: break
    }
    return evaluation.stop(reason)
  }

  /// How long is looked for who holds a reader, in milliseconds: the user waits for the passcode's prompt.
  private static let holderSearchLimit: Int64 = 50

  private func held() throws(Interruption) {
    attempt.record(.readerUnavailable(.heldByOther))
    let end = monotonicMilliseconds() + Scan.holderSearchLimit
    let holders = ReaderHolders().seen { monotonicMilliseconds() < end }.map(\.words)
    let names = holders.isEmpty ? "not seen; signet doctor --only readers, as root" : holders.joined(separator: ", ")
    Log.write(.warning, "another program holds the reader", attempt.fields + [("holder", names)])
    // Who else runs a program is not everybody's to know.
    let detail = client.isRoot ? holders.first ?? "" : ""
    try client.show(.readerUnavailable, value: UnavailableForm.heldByOther, detail: detail)
  }

  /// Tells the user that no scan follows any more.
  func ended(_ next: Evaluation.Next) throws(ClientConnection.Interruption) -> Evaluation.Next {
    if next == .askPasscode(.lockout) || next == .end(.biometryLockout) {
      let lock = lock
      attempt.record(.locked(lock))
      try client.show(.locked, value: lock.rawValue)
    } else {
      // Nobody is told to enter a passcode that is not asked for.
      let asksPasscode = if case .askPasscode = next { true } else { false }
      try client.show(.noAttemptsLeft, value: asksPasscode ? 0 : 1)
    }
    return next
  }
}
