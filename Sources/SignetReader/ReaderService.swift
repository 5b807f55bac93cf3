import CFprint
import Glibc
import SignetVocabulary
import SignetWire

/// Takes signetd's commands and answers with events. One libfprint call runs at a time. Commands that come in the meantime wait
/// in order, except `cancel` and `list`, which are answered at once. So a login that directly follows another one waits for
/// the reader to close instead of failing.
final class ReaderService {
  let channel: Channel
  let available = AvailableReaders()
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
  var patienceTimer: guint = 0
  /// Prints that are still to be deleted from the chip, and how many were deleted.
  var toPrune: [Template] = []
  var pruned = 0

  private var waiting: [ReaderCommand] = []
  private var isEnding = false
  private var status: Int32 = 0
  private var watch: guint = 0
  private let loop = g_main_loop_new(nil, 0)!

  init(channel: Channel) { self.channel = channel }

  /// Serves the channel until it ends. Returns the process's exit status.
  func run() -> Int32 {
    leaveWithChannel(channel.descriptor)
    listen()
    g_main_loop_run(loop)
    return status
  }

  // MARK: The channel

  private func listen() {
    let conditions = GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue)
    watch = g_unix_fd_add(
      channel.descriptor, conditions, { _, _, context in ReaderService.at(context).receive() ? 1 : 0 }, context)
  }

  /// Takes all waiting commands; false when the channel has ended.
  private func receive() -> Bool {
    do {
      while let command = try channel.receive() { accept(command) }
    } catch {
      watch = 0
      if case .malformed(let what) = error {
        log(.error, "channel", what)
        channel.abandon()
        status = 1
      }
      end()
      return false
    }
    advance()
    return true
  }

  private func accept(_ command: ReaderCommand) {
    switch command {
    case .cancel(let operation): cancel(operation)
    case .list(let operation) where !phase.isSettled: list(operation)
    default: waiting.append(command)
    }
  }

  /// Starts waiting commands as long as the reader is free.
  func advance() {
    while phase.isSettled {
      if phase.isOpen, let reader, reader.isRemoved || isEnding {
        close(operation: nil)
      } else if isEnding {
        g_main_loop_quit(loop)
        return
      } else if waiting.isEmpty {
        return
      } else {
        start(waiting.removeFirst())
      }
    }
  }

  private func start(_ command: ReaderCommand) {
    switch command {
    case .list(let operation): list(operation)
    case .open(let operation, let identifier): open(operation, identifier)
    case .template(_, let template): reader?.add(template)
    case .identify(let operation): identify(operation)
    case .enroll(let operation): enroll(operation)
    case .deletePrint(let operation, let template): delete(operation, template)
    case .prune(let operation): prune(operation)
    case .clearStorage(let operation): clearStorage(operation)
    case .close(let operation): close(operation: operation)
    case .cancel(let operation): cancel(operation)
    case .examine(let operation, let print): examine(operation, print)
    }
  }

  /// Makes a command the next to start.
  func putBack(_ command: ReaderCommand) { waiting.insert(command, at: 0) }

  // MARK: Ending

  /// After the channel has ended: cancels what is running, closes the reader and leaves the loop.
  private func end() {
    isEnding = true
    waiting.removeAll()
    if let cancellable { g_cancellable_cancel(cancellable) }
    advance()
  }

  private func cancel(_ operation: UInt32) {
    if phase.cancel(operation) {
      if let cancellable { g_cancellable_cancel(cancellable) }
    } else if phase.operation != operation {
      let count = waiting.count
      waiting.removeAll { $0.isAnswered && $0.operation == operation }
      if waiting.count < count { return refuse(operation, .cancelled, "cancelled before it began") }
      channel.send(.idle(operation: operation))
    }
  }

  // MARK: Listing

  private func list(_ operation: UInt32) {
    if !phase.isOpen, phase.isSettled { enumerate() }
    for (identifier, device) in available.all() {
      var description = ReaderDescription(identifier: identifier, device: device)
      // What this process has itself, until it is closed, is held by nobody else.
      if device != reader?.device, USBPlace(of: device)?.isClaimed() == true { description.obstacle = .heldByOther }
      channel.send(.reader(operation: operation, description))
    }
    channel.send(.listed(operation: operation))
  }

  /// Looks for readers. This runs the loop, and no command may be taken in the meantime.
  func enumerate() {
    if watch != 0 { g_source_remove(watch) }
    available.enumerate()
    if watch != 0 { listen() }
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

  func fail(_ operation: UInt32, _ failure: ReaderFailure, _ explanation: String) {
    channel.send(.failed(operation: operation, failure, explanation: singleLine(explanation)))
  }

  func fail(_ operation: UInt32, _ failure: FprintFailure) { fail(operation, failure.failure, failure.message) }
}

extension ReaderCommand {
  /// Whether an event answers it.
  var isAnswered: Bool { if case .template = self { false } else { true } }
}
