import DaemonAccounts
import DaemonConnections
import DaemonReaders
import DaemonService
import SignetAuthentication
import SignetMemory
import SignetVocabulary

/// The scanning part of an authentication. A strike is charged and durable before the reader is armed, and the one verdict of that
/// scan settles it.
struct Scan {
  let authentication: Authentication
  let fingers: [EnrolledFinger]

  enum Outcome {
    /// A match, and its evidence was used.
    case released
    case stopped(Evaluation.Next)
  }

  /// How one charged scan went.
  private enum Sight {
    case match(operation: UInt32, finger: Finger)
    case miss(operation: UInt32)
    /// The evaluation's poor scans are used up.
    case exhausted(Evaluation.Next)
    /// Nothing was decided.
    case undecided(Evaluation.Stop)
    /// It stopped, and a finger may have decided something that did not reach us.
    case doubtful(Evaluation.Stop)
  }

  private var client: ClientConnection { authentication.client }
  private var fields: Log.Fields { authentication.request.fields }

  func run(
    _ evaluation: inout Evaluation, _ use: Authentication.Use
  ) throws(ClientConnection.Interruption) -> Outcome {
    let holder = ReaderStation.Holder(user: authentication.user.name, service: authentication.request.service)
    switch authentication.daemon.readers.claim(for: holder) {
    case .heldBy(let other):
      Log.write(.notice, "reader busy", fields + [("holder", "\(other.service) of \(other.user)")])
      try client.show(.readerBusy, detail: other.service)
      authentication.record(.readerUnavailable(.busy))
      return .stopped(evaluation.stop(.readerUnavailable))
    case .asleep:
      Log.write(.notice, "no reader: the machine is about to sleep", fields)
      return try stopped(.readerUnavailable, &evaluation)
    case .exhausted: return try stopped(.readerUnavailable, &evaluation)
    case .lease(let lease):
      client.phase = .scanning
      return try scan(with: ReaderSession(lease: lease, client: client), &evaluation, use)
    }
  }

  private func scan(
    with reader: ReaderSession, _ evaluation: inout Evaluation, _ use: Authentication.Use
  ) throws(ClientConnection.Interruption) -> Outcome {
    let deadline = bootMilliseconds() + authentication.request.timeout
    var opening = OpeningReader(fingers: fingers, of: authentication.daemon.store)
    var isFirst = true
    // The reader opens while the strike is being written; it is armed after both.
    guard opening.begin(with: reader) else { return try stopped(.readerUnavailable, &evaluation) }
    while true {
      let strike: ChargedStrike
      do { strike = try authentication.account.charge() } catch { return try refused(error, &evaluation) }
      if let stop = opening.finish(with: reader, until: deadline, fields) {
        giveBack(strike, evaluation.poorScans)
        return try stopped(stop, &evaluation)
      }
      // The first scan is asked for; what is said after a miss or a poor scan asks for the next.
      var prompt: UInt8? = isFirst ? (opening.isSwipe ? 1 : 0) : nil
      isFirst = false
      switch try look(with: reader, opening, &evaluation, prompt: &prompt, until: deadline) {
      case .match(let operation, let finger):
        return try match(operation, finger, strike, reader, &evaluation, use)
      case .miss(let operation):
        strike.keep()
        let next = evaluation.miss(operation: operation, isLockedNow: authentication.account.lock != .none)
        authentication.record(.missed(strikes: authentication.strikes))
        guard case .scan(let missesLeft) = next else { return try ended(next ?? .end(.authenticationFailed)) }
        // Whichever is nearer, the end of this evaluation or the lock.
        try client.show(.notRecognised, value: UInt8(clamping: min(missesLeft, authentication.account.missesLeft)))
      case .exhausted(let next):
        strike.keep()
        authentication.record(.poorScansExhausted(strikes: authentication.strikes))
        return try ended(next)
      case .undecided(let reason):
        giveBack(strike, evaluation.poorScans)
        return try stopped(reason, &evaluation)
      case .doubtful(let reason):
        strike.keep()
        authentication.record(.strikeKept(strikes: authentication.strikes))
        return try stopped(reason, &evaluation)
      }
    }
  }

  /// Arms the reader for one charged scan, again after each poor scan, until something is decided or it stops.
  private func look(
    with reader: ReaderSession, _ opening: OpeningReader, _ evaluation: inout Evaluation, prompt: inout UInt8?,
    until deadline: Int64
  ) throws(ClientConnection.Interruption) -> Sight {
    while true {
      let operation = reader.nextOperation()
      evaluation.arm(operation: operation)
      guard (try? reader.send(.identify(operation: operation))) != nil else { return .doubtful(.readerUnavailable) }
      switch awaitSight(operation, reader, opening, prompt: prompt, until: deadline) {
      case .sight(let sight): return sight
      case .poorScan(let retry):
        let next = evaluation.poorScan(operation: operation) ?? .end(.biometryNotAvailable)
        Log.write(.info, "poor scan: \(retry)", fields)
        guard case .scan = next else { return .exhausted(next) }
        try client.show(.scanAgain, value: retry.rawValue)
        prompt = nil
      }
    }
  }

  private enum Awaited {
    case sight(Sight)
    case poorScan(ScanRetry)
  }

  /// Waits for what an armed reader, the client or the clock says first.
  private func awaitSight(
    _ operation: UInt32, _ reader: ReaderSession, _ opening: OpeningReader, prompt: UInt8?, until deadline: Int64
  ) -> Awaited {
    var isArmed = false
    while true {
      switch reader.next(of: operation, until: deadline) {
      case .event(.armed):
        isArmed = true
        if let prompt { try? client.show(.touchReader, value: prompt) }
        // While the user lifts a finger there is time for it.
        client.learnProcess()
      case .event(.match(_, let index)):
        guard let finger = opening.finger(Int(index)) else {
          Log.write(.error, "the reader matched a finger that it was not given", fields)
          reader.giveUp()
          return .sight(.doubtful(.readerUnavailable))
        }
        return .sight(.match(operation: operation, finger: finger))
      case .event(.miss): return .sight(.miss(operation: operation))
      case .event(.poorScan(_, let retry)): return .poorScan(retry)
      case .event(.failed(_, let failure, let explanation)):
        Log.write(.error, "the reader failed: \(explanation)", fields + [("failure", "\(failure)")])
        if failure == .tooHot { return .sight(.undecided(.readerTooHot)) }
        return .sight(!isArmed && isBeforeAnyFinger(failure) ? .undecided(.readerUnavailable) : .doubtful(.readerUnavailable))
      case .event: continue
      case .request(let kind): return stop(operation, reader, kind == .fallback ? .userFallback : .userCancel)
      case .deadline: return stop(operation, reader, .timedOut)
      case .interrupted(let why): return stop(operation, reader, why == .stopping ? .systemCancel : .appCancel)
      case .trouble(let trouble):
        Log.write(.error, "signet-reader is \(trouble)", fields)
        return .sight(.doubtful(.readerUnavailable))
      }
    }
  }

  /// Failures with which a reader refuses to look at all. Any other, a pulled plug for instance, may hide a verdict, and so
  /// may these where the reader has looked already.
  private func isBeforeAnyFinger(_ failure: ReaderFailure) -> Bool {
    switch failure {
    case .notFound, .busy, .unsupported, .tooHot, .unusableTemplate, .notOpen: true
    case .removed, .storageFull, .duplicate, .cancelled, .other: false
    }
  }

  private func stop(_ operation: UInt32, _ reader: ReaderSession, _ reason: Evaluation.Stop) -> Awaited {
    .sight(reader.cancelUndecided(operation) ? .undecided(reason) : .doubtful(reason))
  }

  private func match(
    _ operation: UInt32, _ finger: Finger, _ strike: consuming ChargedStrike, _ reader: ReaderSession,
    _ evaluation: inout Evaluation, _ use: Authentication.Use
  ) throws(ClientConnection.Interruption) -> Outcome {
    var evidence = evaluation.match(operation: operation)
    // From the reply on the client may ask again; it must not find the reader held by its own last authentication.
    reader.finish()
    var isReleased = false
    let cleared = strike.match {
      guard let evidence = evidence.take() else { return }
      isReleased = (try? use(evidence, finger)) != nil
      reader.release()
      authentication.daemon.audit.flush()
    }
    if case .failure(let error) = cleared {
      Log.write(.error, "the strikes of \(authentication.user.name) could not be cleared: \(error.description)")
      authentication.record(.stateUnusable)
    }
    // A lock came while the reader was armed: the match counts for nothing.
    if evidence != nil {
      authentication.record(.strikeKept(strikes: authentication.strikes))
      return try ended(evaluation.begin(isLocked: true))
    }
    guard isReleased else { throw .closed }
    return .released
  }

  private func giveBack(_ strike: consuming ChargedStrike, _ poorScans: Int) {
    if case .failure(let error) = strike.giveBack(poorScans: poorScans) {
      Log.write(.error, "a strike of \(authentication.user.name) could not be given back: \(error.description)")
      return authentication.record(.stateUnusable)
    }
    authentication.record(.strikeGivenBack(strikes: authentication.strikes))
  }

  private func refused(
    _ refusal: Account.ChargeRefusal, _ evaluation: inout Evaluation
  ) throws(ClientConnection.Interruption) -> Outcome {
    switch refusal {
    case .locked: return try ended(evaluation.begin(isLocked: true))
    case .busy: return try stopped(.readerUnavailable, &evaluation)
    case .notDurable(let error):
      Log.write(.error, "no scan, because its strike could not be made durable: \(error.description)", fields)
      authentication.record(.stateUnusable)
      return try stopped(.readerUnavailable, &evaluation)
    }
  }

  /// Tells the user why scanning stopped.
  private func stopped(
    _ reason: Evaluation.Stop, _ evaluation: inout Evaluation
  ) throws(ClientConnection.Interruption) -> Outcome {
    switch reason {
    case .readerUnavailable:
      authentication.record(.readerUnavailable(nil))
      try client.show(.readerUnavailable)
    case .readerTooHot:
      authentication.record(.readerUnavailable(.tooHot))
      try client.show(.readerUnavailable, value: 1)
    case .timedOut: try client.show(.timedOut)
    case .userFallback, .userCancel, .systemCancel, .appCancel: break
    }
    return .stopped(evaluation.stop(reason))
  }

  /// Tells the user that no scan follows any more.
  private func ended(_ next: Evaluation.Next) throws(ClientConnection.Interruption) -> Outcome {
    if next == .askPasscode(.lockout) || next == .end(.biometryLockout) {
      let lock = authentication.account.lock
      authentication.record(.locked(lock))
      try client.show(.locked, value: lock.rawValue)
    } else {
      try client.show(.noAttemptsLeft)
    }
    return .stopped(next)
  }
}
