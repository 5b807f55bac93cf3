import CFprint
import Glibc
import SignetVocabulary
import SignetWire

/// One reader in use, after another: takes the commands that are for it and answers with events. One libfprint call runs at a time.
/// Commands that come in the meantime wait in order, except `cancel`. So a login that directly follows another one waits for the
/// reader to close instead of failing.
final class ReaderService {
  unowned let commands: CommandLoop
  var phase = ReaderPhase()
  /// What was told about the finger of the running operation.
  var finger = FingerWatch()
  /// Whether the last scan showed too little of the finger to be compared with anything.
  var sawTooLittle = false
  /// The reader that is open, or being opened or closed.
  var reader: OpenReader?
  /// Ends the running libfprint call.
  var cancellable: UnsafeMutablePointer<GCancellable>?
  /// The signal handlers for the removal of the open reader and for its finger; 0 for none.
  var removalHandler: gulong = 0
  var fingerHandler: gulong = 0
  /// Until when a driver has time to say that it needs a finger; 0 for none.
  var fingerNeededTimer: guint = 0
  /// Prints that are still to be deleted from the chip, and how many were deleted.
  var toPrune: [Template] = []
  var pruned = 0

  private var waiting: [ReaderCommand] = []
  /// Whether the reader is to be closed as soon as its call has ended.
  private var isLeaving = false

  init(for commands: CommandLoop) { self.commands = commands }

  /// Whether a command waits for another one.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether nothing runs and nothing waits.
  var isSettled: Bool { phase.isSettled && waiting.isEmpty }

  /// Whether moreover no reader is open.
  var isQuiet: Bool { isSettled && reader == nil }

  func accept(_ command: ReaderCommand) {
    if case .open = command { isLeaving = false }
    waiting.append(command)
    advance()
  }

  /// Starts waiting commands as long as the reader is free. Whoever looks for readers goes on with this afterwards.
  func advance() {
    while phase.isSettled, !commands.isLooking {
      if phase.isOpen, let reader, reader.isRemoved || isLeaving {
        close(operation: nil)
      } else if waiting.isEmpty {
        return commands.advance()
      } else {
        start(waiting.removeFirst())
      }
    }
  }

  private func start(_ command: ReaderCommand) {
    switch command {
    case .list(let operation): commands.list(operation)
    case .open(let operation, let identifier), .openBeside(let operation, let identifier): open(operation, identifier)
    case .template(_, let template): reader?.add(template)
    case .identify(let operation): identify(operation)
    case .enroll(let operation): enroll(operation)
    case .deletePrint(let operation, let template): delete(operation, template)
    case .prune(let operation): prune(operation)
    case .clearStorage(let operation): clearStorage(operation)
    case .close(let operation): close(operation: operation)
    case .cancel(let operation): _ = cancel(operation)
    case .examine(let operation, let print): examine(operation, print)
    case .choose(_, let index): reader?.chosen = Int(index)
    }
  }

  /// Makes a command the next to start.
  func putBack(_ command: ReaderCommand) { waiting.insert(command, at: 0) }

  /// Ends what runs, and closes the reader.
  func leave() {
    isLeaving = true
    waiting.removeAll()
    if let cancellable { g_cancellable_cancel(cancellable) }
    advance()
  }

  /// Ends an operation, running or waiting; false where it is neither.
  func cancel(_ operation: UInt32) -> Bool {
    if phase.cancel(operation) {
      answerCancel(operation)
      if let cancellable { g_cancellable_cancel(cancellable) }
      return true
    }
    if phase.operation == operation { return true }
    let count = waiting.count
    waiting.removeAll { $0.isAnswered && $0.operation == operation }
    guard waiting.count < count else { return false }
    refuse(operation, .cancelled, "cancelled before it began")
    return true
  }

  // MARK: Calls into libfprint

  /// This object as the context of a C callback. It must live as long as the loop.
  var context: gpointer { Unmanaged.passUnretained(self).toOpaque() }

  static func at(_ context: gpointer?) -> ReaderService {
    Unmanaged<ReaderService>.fromOpaque(context!).takeUnretainedValue()
  }

  func makeCancellable() -> UnsafeMutablePointer<GCancellable> {
    dropCancellable()
    let fresh = g_cancellable_new()!
    cancellable = fresh
    return fresh
  }

  func dropCancellable() {
    if let cancellable { g_object_unref(cancellable) }
    cancellable = nil
  }

  func send(_ event: ReaderEvent) { commands.tell(event, of: self) }

  func fail(_ operation: UInt32, _ failure: ReaderFailure, _ explanation: String) {
    send(.failed(operation: operation, failure, explanation: singleLine(explanation)))
  }

  func fail(_ operation: UInt32, _ failure: FprintFailure) { fail(operation, failure.failure, failure.message) }
}

extension ReaderCommand {
  /// Whether an event answers it.
  var isAnswered: Bool {
    switch self {
    case .template, .choose: false
    default: true
    }
  }
}
