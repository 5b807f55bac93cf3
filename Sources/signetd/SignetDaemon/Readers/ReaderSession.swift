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
    /// The session at the reader's seat wants it.
    case recalled
    case trouble(ReaderTrouble)
  }

  /// How long opening a reader may take, and arming it for the first scan after that, in milliseconds. A user who does not want to
  /// wait presses Enter.
  package static let openLimit: Int64 = 3_000
  /// So many events without a pause are no reader's: the client and the clock must get their turn.
  private static let eventLimit = 256

  private let lease: ReaderLease
  private let client: ClientConnection
  private var isOpen = false
  /// A cancelled operation has the readers.
  private var isGivenAway = false
  private var eventsInARow = 0

  package init(lease: ReaderLease, client: ClientConnection) {
    self.lease = lease
    self.client = client
  }

  deinit { release() }

  /// A reader that is being opened.
  package struct Opening {
    package let reader: String
    /// Its `opened` or `failed` is to come.
    package let operation: UInt32
    /// Whose templates it was given, in their order.
    package var fingers: [EnrolledFinger] = []
  }

  /// Starts opening a reader and hands it the templates of `fingers`; nothing is waited for. A template that does not open
  /// is left out, and named in the log.
  package func beginOpening(
    _ reader: String, fingers: [EnrolledFinger], of store: borrowing AccountStore
  ) throws(ReaderTrouble) -> Opening {
    try start()
    var opening = try beginOpening(reader, beside: false)
    try hand(fingers, to: &opening, of: store)
    return opening
  }

  /// The same for several readers side by side, each with the templates of its fingers. Where there are several of either,
  /// `ReaderEvent.reader` tells what each is called, and whether it compares with one at a time.
  package func beginOpening(
    _ readers: [(reader: String, fingers: [EnrolledFinger])], of store: borrowing AccountStore
  ) throws(ReaderTrouble) -> [Opening] {
    try start()
    if readers.count > 1 || readers.contains(where: { $0.fingers.count > 1 }) { _ = try begin { .list(operation: $0) } }
    var openings: [Opening] = []
    for reader in readers { openings.append(try beginOpening(reader.reader, beside: !openings.isEmpty)) }
    for place in readers.indices { try hand(readers[place].fingers, to: &openings[place], of: store) }
    return openings
  }

  private func beginOpening(_ reader: String, beside: Bool) throws(ReaderTrouble) -> Opening {
    let opening = Opening(reader: reader, operation: lease.nextOperation())
    lease.noteOpening(reader, opening.operation, beside: beside)
    try lease.send(
      beside ? .openBeside(operation: opening.operation, reader: reader) : .open(operation: opening.operation, reader: reader))
    isOpen = true
    return opening
  }

  private func hand(
    _ fingers: [EnrolledFinger], to opening: inout Opening, of store: borrowing AccountStore
  ) throws(ReaderTrouble) {
    for finger in fingers {
      let template: ClearTemplate
      do throws(SystemError) { template = try store.template(of: finger) } catch {
        Log.write(.error, "left out: \(error.description)")
        continue
      }
      try lease.send(.template(operation: opening.operation, template))
      opening.fingers.append(finger)
    }
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

  /// Waits for the next event of `operation`, or of any, a request, or the deadline. `yields`: whether it gives way to the seat.
  package func next(of operation: UInt32?, until deadline: Int64, yields: Bool = true) -> Arrival {
    do {
      while true {
        // Before any event: after a sleep that was not announced a touch is not an answer to what was asked before it.
        if lease.hasSlept {
          lease.giveUp()
          return .interrupted(.stopping)
        }
        if let event = try lease.receive() {
          eventsInARow += 1
          guard eventsInARow <= ReaderSession.eventLimit else { throw ReaderTrouble.nonsense }
          if operation == nil || event.operation == operation { return .event(event) }
          continue
        }
        eventsInARow = 0
        switch lease.recall {
        case .sleep: return .interrupted(.stopping)
        case .seat where yields: return .recalled
        case .seat, nil: break
        }
        switch try client.wait(for: lease.descriptor, until: deadline) {
        case .other: continue
        case .request(let kind): return .request(kind)
        case .deadline: return .deadline
        case .tick:
          if !lease.isAlive { throw ReaderTrouble.stuck }
          if client.hasStoppedReading { return .interrupted(.closed) }
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
    /// It goes on, and is not waited for any more.
    case left
  }

  /// Waits until `operation` ends, to `deadline` on the boot clock at most. `yields`: whether it gives way to what the client asks for
  /// meanwhile and to who wants the readers; most of these operations are too short for that. `found` gets the readers that are listed.
  package func awaitEnd(
    of operation: UInt32, until deadline: Int64, yields: Bool = false, found: (ReaderDescription) -> Void = { _ in }
  ) -> Ending {
    while true {
      switch next(of: operation, until: deadline, yields: yields) {
      case .event(let event):
        switch event {
        case .opened, .listed, .idle: return .done(pruned: 0)
        case .pruned(_, let count): return .done(pruned: count)
        case .reader(_, let description): found(description)
        case .failed(_, let failure, let explanation): return .failed(failure, explanation)
        // These belong to operations with a finger, or have an answer of their own.
        case .armed, .finger, .fingerOff, .match, .miss, .poorScan, .enrollStage, .enrolled, .examined: continue
        }
      case .request where !yields: continue
      case .request, .interrupted, .recalled: return .left
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
      if readers.count < ReaderListing.most { readers.append(reader) }
    }
    if case .done = ending { return readers }
    giveUp()
    return nil
  }

  /// Waits for a reader to be open. One that takes too long is given up with signet-reader.
  package func awaitOpened(_ operation: UInt32) -> Ending {
    let ending = awaitEnd(of: operation, until: bootMilliseconds() + ReaderSession.openLimit, yields: true)
    if case .failed(nil, _) = ending { lease.giveUp() }
    return ending
  }

  /// Waits until no finger of another user may lie on the reader any more, so that one touch does not serve two: `nil` where the
  /// reader may be armed now, otherwise what came before that. A user's own finger is not waited for.
  package func awaitLift(until deadline: Int64) -> Arrival? {
    while let pause = lease.pause {
      // Any event may be that the finger was lifted.
      let arrival = next(of: nil, until: min(pause, deadline))
      switch arrival {
      case .event: continue
      case .deadline where bootMilliseconds() < deadline: continue
      case .deadline, .request, .interrupted, .recalled, .trouble: return arrival
      }
    }
    return nil
  }

  /// Cancels an armed operation, and gives the readers away until it has ended; `settle` learns how. See `CancelledOperation`.
  package func cancel(_ operation: UInt32, settle: @escaping (CancelledOperation.Ending) -> Void = { _ in }) {
    // Who cancelled may ask again at once, and must not find the reader held by what was just cancelled.
    lease.finish()
    isGivenAway = true
    CancelledOperation(operation, lease: lease, settle: settle).end()
  }

  /// Whether the reader told of a finger in this operation, or judged one.
  package func sawFinger(in operation: UInt32) -> Bool { lease.sawFinger(in: operation) }

  /// Says where the asker was found to be: from now on only who has the readers before that takes them away.
  package func isAt(_ location: ReaderHolder.Location) { lease.isAt(location) }

  /// Says that this use of the readers is all but over: who asks for them now waits for its end.
  package func finish() { lease.finish() }

  /// Closes the reader and lets others have it. The closing itself is signet-reader's to finish; a next `open` waits there.
  package func release() {
    if isGivenAway { return }
    if isOpen { try? lease.send(.close(operation: lease.nextOperation())) }
    isOpen = false
    lease.release()
  }

  /// Ends signet-reader with this use of it.
  package func giveUp() { lease.giveUp() }
}
