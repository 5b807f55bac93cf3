#if !hasFeature(Embedded)
  import SignetVocabulary
#endif

/// What comes of one VerifyStart, as a value: signetd's words on one side, those of the interface on the other. One touch ends it.
struct VerifyCourse {
  enum Step: Equatable {
    /// The call is answered: a finger is waited for.
    case started
    /// The call is answered, and nothing was started.
    case refused(BusError)
    case status(StatusWord, isDone: Bool)
    /// Nobody has touched the reader: it is asked for again.
    case again
  }

  private var isStarted = false
  private(set) var isOver = false
  private var hasTimedOut = false
  private var obstacle: BusError?

  /// signetd shows something.
  mutating func shown(_ prompt: Prompt, _ value: UInt8) -> [Step] {
    guard !isOver else { return [] }
    switch prompt {
    case .touchReader: return start()
    case .scanAgain: return start() + [.status(StatusWord(ScanRetry(rawValue: value) ?? .general), isDone: false)]
    // Another look would be another VerifyStart's.
    case .notRecognised: return finish(.noMatch)
    case .timedOut: hasTimedOut = true
    case .readerBusy: obstacle = .busy
    case .readerUnavailable: obstacle = BusError(.internal, "The reader cannot be used now.")
    case .locked, .noAttemptsLeft, .passcodeDelayed, .wrongPasscode, .consent, .passcodeNotEnough: break
    }
    return []
  }

  /// signetd has decided.
  mutating func ended(_ verdict: Verdict) -> [Step] {
    guard !isOver else { return [] }
    switch verdict {
    case .success: return finish(.match)
    case .authenticationFailed: return finish(.noMatch)
    // What was the last strike was a miss, too.
    case .biometryLockout: return isStarted ? finish(.noMatch) : refuse(.locked)
    case .biometryNotEnrolled: return refuse(.noFinger)
    case .passcodeNotSet: return refuse(BusError(.internal, "A user without a passcode has no use of a finger."))
    case .accountClosed, .passcodeExpired, .accountUnknown:
      return refuse(BusError(.internal, "The account is not open, or its passcode must be changed."))
    case .biometryNotAvailable where isStarted && hasTimedOut:
      hasTimedOut = false
      return [.again]
    case .biometryNotAvailable: return refuse(obstacle ?? .notHere)
    default: return refuse(.unanswered)
    }
  }

  /// signetd does not answer, or refuses.
  mutating func failed(_ error: BusError) -> [Step] { isOver ? [] : refuse(error) }

  private mutating func start() -> [Step] {
    if isStarted { return [] }
    isStarted = true
    return [.started]
  }

  private mutating func finish(_ word: StatusWord) -> [Step] {
    let steps = start()
    isOver = true
    return steps + [.status(word, isDone: true)]
  }

  /// Once the call is answered only a status can say so.
  private mutating func refuse(_ error: BusError) -> [Step] {
    isOver = true
    guard isStarted else { return [.refused(error)] }
    return [.status(obstacle == nil ? .unknownError : .disconnected, isDone: true)]
  }
}
