import DaemonAccounts
import DaemonConnections
import DaemonService
import SignetFiles
import SignetVocabulary
import SignetWire

/// The readers in use by one connection: opening one, arming it, and waiting for its events and for the client at a time.
package final class ReaderSession {
  /// What came next.
  package enum Arrival {
    /// An event of the operation that is waited for; those of others are dropped, however late they come.
    case event(ReaderEvent)
    case request(RequestKind)
    case deadline
    /// The client is gone or misbehaves, signetd is being stopped, or the machine sleeps.
    case interrupted(ClientConnection.Interruption)
    case trouble(ReaderTrouble)
  }

  /// How long opening a reader may take, in milliseconds. A user who does not want to wait presses Enter.
  static let openLimit: Int64 = 3_000
  /// How long a cancelled reader may take to say that no finger decided anything, in milliseconds.
  private static let cancelLimit: Int64 = 500

  /// So many events without a pause are no reader's: the client and the clock must get their turn.
  private static let eventLimit = 256

  private let lease: ReaderLease
  private let client: ClientConnection
  private var isOpen = false
  private var eventsInARow = 0

  package init(lease: ReaderLease, client: ClientConnection) {
    self.lease = lease
    self.client = client
  }

  deinit { release() }

  /// A reader that is being opened.
  package struct Opening {
    /// Its `opened` or `failed` is to come.
    package var operation: UInt32
    /// Whose templates it was given, in their order.
    package var fingers: [EnrolledFinger] = []
  }

  /// Starts opening a reader and hands it the templates of `fingers`; nothing is waited for. A template that does not open
  /// is left out, and named in the log.
  package func beginOpening(
    _ reader: String, fingers: [EnrolledFinger], of store: borrowing AccountStore
  ) throws(ReaderTrouble) -> Opening {
    try start()
    var opening = Opening(operation: lease.nextOperation())
    try lease.send(.open(operation: opening.operation, reader: reader))
    isOpen = true
    for finger in fingers {
      let template: ClearTemplate
      do throws(SystemError) { template = try store.template(of: finger) } catch {
        Log.write(.error, "left out: \(error.description)")
        continue
      }
      try lease.send(.template(operation: opening.operation, template))
      opening.fingers.append(finger)
    }
    return opening
  }

  /// Adds a template to the loaded ones.
  package func load(_ template: ClearTemplate) throws(ReaderTrouble) {
    try lease.send(.template(operation: lease.nextOperation(), template))
  }

  /// Starts signet-reader without opening a reader.
  package func start() throws(ReaderTrouble) {
    do { try lease.start() } catch {
      Log.write(.error, error.description)
      throw .gone
    }
  }

  /// Sends a command under a new operation number.
  package func begin(_ command: (UInt32) -> ReaderCommand) throws(ReaderTrouble) -> UInt32 {
    let operation = lease.nextOperation()
    try lease.send(command(operation))
    return operation
  }

  /// A number for an operation that is to be announced before it is sent.
  package func nextOperation() -> UInt32 { lease.nextOperation() }

  package func send(_ command: ReaderCommand) throws(ReaderTrouble) { try lease.send(command) }

  /// Waits for the next event of `operation`, a request, or the deadline.
  package func next(of operation: UInt32, until deadline: Int64) -> Arrival {
    do {
      while true {
        // Before any event: who touched the reader after a sleep that nobody announced was not asked to.
        if lease.hasSlept {
          lease.giveUp()
          return .interrupted(.stopping)
        }
        if let event = try lease.receive() {
          eventsInARow += 1
          guard eventsInARow <= ReaderSession.eventLimit else { throw ReaderTrouble.nonsense }
          if event.operation == operation { return .event(event) }
          continue
        }
        eventsInARow = 0
        if lease.isRevoked { return .interrupted(.stopping) }
        switch try client.wait(for: lease.descriptor, until: deadline) {
        case .other: continue
        case .request(let kind): return .request(kind)
        case .deadline: return .deadline
        case .tick:
          if !lease.isAlive { throw ReaderTrouble.stuck }
        }
      }
    } catch let trouble as ReaderTrouble {
      lease.giveUp()
      return .trouble(trouble)
    } catch {
      return .interrupted(error as? ClientConnection.Interruption ?? .closed)
    }
  }

  /// How an operation ended in which no finger has a part: opening, listing, deleting, pruning.
  package enum Ending {
    /// It is done, with so many prints removed where it was pruning.
    case done(pruned: UInt16)
    /// Why it failed, and in words for the log; without a failure where signet-reader did not answer.
    case failed(ReaderFailure?, String)
    /// The client asked for something meanwhile; the operation goes on.
    case request(RequestKind)
    case interrupted(ClientConnection.Interruption)
  }

  /// Waits until `operation` ends, to `deadline` on the boot clock at most; whatever the client asks for meanwhile is passed
  /// over. `found` gets the readers that are listed.
  package func awaitEnd(
    of operation: UInt32, until deadline: Int64, found: (ReaderDescription) -> Void = { _ in }
  ) -> Ending {
    while true {
      let ending = awaitEndOrRequest(of: operation, until: deadline, found)
      if case .request = ending { continue }
      return ending
    }
  }

  private func awaitEndOrRequest(
    of operation: UInt32, until deadline: Int64, _ found: (ReaderDescription) -> Void = { _ in }
  ) -> Ending {
    while true {
      switch next(of: operation, until: deadline) {
      case .event(let event):
        switch event {
        case .opened, .listed, .idle: return .done(pruned: 0)
        case .pruned(_, let count): return .done(pruned: count)
        case .reader(_, let description): found(description)
        case .failed(_, let failure, let explanation): return .failed(failure, explanation)
        // These belong to operations with a finger.
        case .armed, .finger, .fingerOff, .match, .miss, .poorScan, .enrollStage, .enrolled: continue
        }
      case .request(let kind): return .request(kind)
      case .interrupted(let interruption): return .interrupted(interruption)
      case .deadline: return .failed(nil, "it did not answer in time")
      case .trouble(let trouble): return .failed(nil, "signet-reader is \(trouble)")
      }
    }
  }

  /// The readers that there are, 64 at most; `nil` where signet-reader does not answer.
  package func list() -> [ReaderDescription]? {
    guard (try? start()) != nil, let operation = try? begin({ .list(operation: $0) }) else { return nil }
    var readers: [ReaderDescription] = []
    let ending = awaitEnd(of: operation, until: bootMilliseconds() + ReaderSession.openLimit) { reader in
      if readers.count < 64 { readers.append(reader) }
    }
    if case .done = ending { return readers }
    giveUp()
    return nil
  }

  /// Waits for a reader to be open, to `limit` on the boot clock at most. One that takes too long is given up with
  /// signet-reader.
  package func awaitOpened(_ operation: UInt32, until limit: Int64 = .max) -> Ending {
    let ending = awaitEndOrRequest(of: operation, until: min(limit, bootMilliseconds() + ReaderSession.openLimit))
    if case .failed(nil, _) = ending { lease.giveUp() }
    return ending
  }

  /// Cancels an armed operation and finds out whether a finger had decided something. True only where the reader itself
  /// says that none had; a reader that does not answer is ended, and counts as decided.
  package func cancelUndecided(_ operation: UInt32) -> Bool {
    // Who cancelled may ask again at once, and must not find the reader held by what was just cancelled.
    lease.finish()
    guard (try? lease.send(.cancel(operation: operation))) != nil else { return false }
    let deadline = bootMilliseconds() + ReaderSession.cancelLimit
    while bootMilliseconds() < deadline, lease.isAlive {
      guard let event = try? lease.receiveWithin(50) else { continue }
      guard event.operation == operation else { continue }
      switch event {
      case .match, .miss: return false
      case .failed(_, let failure, _): return failure == .cancelled
      case .idle, .poorScan: return true
      case .armed, .finger, .fingerOff, .enrollStage, .enrolled, .reader, .listed, .opened, .pruned: continue
      }
    }
    lease.giveUp()
    return false
  }

  /// Says that this use of the readers is all but over: who asks for them now waits for its end.
  package func finish() { lease.finish() }

  /// Closes the reader and lets others have it. The closing itself is signet-reader's to finish; a next `open` waits there.
  package func release() {
    if isOpen { try? lease.send(.close(operation: lease.nextOperation())) }
    isOpen = false
    lease.release()
  }

  /// Ends signet-reader with this use of it.
  package func giveUp() { lease.giveUp() }
}
