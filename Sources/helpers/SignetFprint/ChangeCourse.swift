#if !hasFeature(Embedded)
  import SignetVocabulary
#endif

/// What comes of one EnrollStart, or of one call that deletes, as a value.
struct ChangeCourse {
  enum Kind { case enroll, delete }

  enum Step: Equatable {
    /// Polkit is to be asked.
    case authorize
    /// The call is answered: a finger is waited for, or all is done.
    case answered
    /// The call is answered, and nothing was changed.
    case refused(BusError)
    case status(StatusWord, isDone: Bool)
  }

  private let kind: Kind
  private var isAnswered = false
  private(set) var isOver = false
  private var completed: UInt8 = 0

  init(_ kind: Kind) { self.kind = kind }

  mutating func passcodeWanted() -> [Step] { [.authorize] }

  mutating func shown(_ prompt: Prompt) -> [Step] { kind == .enroll && prompt == .touchReader ? answer() : [] }

  /// The last stage is told with the end.
  mutating func stage(_ completed: UInt8, of all: UInt8, _ retry: ScanRetry?) -> [Step] {
    if let retry { return answer() + [.status(StatusWord(retry), isDone: false)] }
    let isNew = completed > self.completed && completed < all
    self.completed = max(completed, self.completed)
    return isNew ? answer() + [.status(.stagePassed, isDone: false)] : []
  }

  mutating func done() -> [Step] {
    let steps = answer()
    isOver = true
    return kind == .enroll ? steps + [.status(.completed, isDone: true)] : steps
  }

  mutating func refused(_ refusal: Refusal) -> [Step] {
    failed(BusError(change: refusal, deletes: kind == .delete), StatusWord(refusal))
  }

  mutating func failed(_ error: BusError, _ word: StatusWord = .unknownError) -> [Step] {
    if isOver { return [] }
    isOver = true
    return isAnswered ? [.status(word, isDone: true)] : [.refused(error)]
  }

  private mutating func answer() -> [Step] {
    if isAnswered { return [] }
    isAnswered = true
    return [.answered]
  }
}

extension StatusWord {
  init(_ refusal: Refusal) {
    switch refusal {
    case .duplicateFinger, .duplicateOnReader: self = .duplicate
    case .storageFull, .storageNotCleared: self = .dataFull
    case .readerEnded, .noSuchReader, .readerFailed(_, .removed, _): self = .disconnected
    case .readerFailed(_, .poorTemplate, _), .cancelled: self = .failed
    default: self = .unknownError
    }
  }
}

extension BusError {
  /// Why fingers were not changed.
  init(change refusal: Refusal, deletes: Bool) {
    switch refusal {
    case .cancelled, .passcodeUnchecked, .passcodeFailed, .passcodeDelayed, .passcodeNotSet: self = .notProved
    case .deletedWithFault, .deletedButKept: self = BusError(.printsNotDeleted, "Something is left of what was deleted.")
    case .stateUnusable where deletes: self = BusError(.printsNotDeleted, "The fingers could not be deleted.")
    default: self.init(refusal)
    }
  }
}
