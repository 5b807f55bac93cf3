/// What the reader is doing: at most one libfprint call at a time, for one of signetd's operations. There is no I/O in here.
struct ReaderPhase {
  /// The libfprint call that is running.
  enum Step: Equatable {
    case opening, identifying, searchingDuplicate, enrolling, deleting, clearing, listing, pruning, closing
  }

  private enum State {
    case closed
    case open
    case busy(Step, operation: UInt32, isAnswered: Bool, isCancelled: Bool)
  }

  private var state = State.closed

  /// Whether a further command can be started.
  var isSettled: Bool {
    switch state {
    case .closed, .open: true
    case .busy: false
    }
  }

  var isOpen: Bool { if case .open = state { true } else { false } }

  var step: Step? { if case .busy(let step, _, _, _) = state { step } else { nil } }

  /// Whether a call is running that looks at a finger.
  var needsFinger: Bool {
    switch step {
    case .identifying, .searchingDuplicate, .enrolling: true
    case nil, .opening, .deleting, .clearing, .listing, .pruning, .closing: false
    }
  }

  var operation: UInt32? { if case .busy(_, let operation, _, _) = state { operation } else { nil } }

  mutating func begin(_ step: Step, operation: UInt32) {
    precondition(isSettled, "libfprint was given a second operation")
    state = .busy(step, operation: operation, isAnswered: false, isCancelled: false)
  }

  /// Notes that the same operation goes on with another libfprint call.
  mutating func go(on step: Step) {
    guard case .busy(_, let operation, let isAnswered, let isCancelled) = state else { return }
    state = .busy(step, operation: operation, isAnswered: isAnswered, isCancelled: isCancelled)
  }

  /// The operation to answer; `nil` where it was answered already. So an operation has one verdict, whatever libfprint reports
  /// after it.
  mutating func answer() -> UInt32? {
    guard case .busy(let step, let operation, false, let isCancelled) = state else { return nil }
    state = .busy(step, operation: operation, isAnswered: true, isCancelled: isCancelled)
    return operation
  }

  /// Notes that signetd wants the operation to end. False where it is not running, or was cancelled before.
  mutating func cancel(_ cancelled: UInt32) -> Bool {
    guard case .busy(let step, let operation, let isAnswered, false) = state, operation == cancelled else { return false }
    state = .busy(step, operation: operation, isAnswered: isAnswered, isCancelled: true)
    return true
  }

  var isAnswered: Bool { if case .busy(_, _, true, _) = state { true } else { false } }

  var isCancelled: Bool { if case .busy(_, _, _, true) = state { true } else { false } }

  /// Notes that the libfprint call is over.
  mutating func settle(isOpen: Bool) { state = isOpen ? .open : .closed }
}
