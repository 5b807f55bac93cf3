import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire

package enum ReaderClaim {
  case lease(ReaderLease)
  case heldBy(ReaderHolder)
  /// The machine is about to sleep.
  case asleep
  /// The system has no memory for it.
  case exhausted

  /// Why there are no readers for a request of the command line by this peer; `nil` where there are.
  package func refusal(of peer: Peer) -> Refusal? {
    switch self {
    case .lease: nil
    case .heldBy(let holder): holder.refusal(of: peer)
    case .asleep: .asleep
    case .exhausted: .noMemory
    }
  }
}

/// The exclusive use of the readers, by one thread at a time, until `release`.
package final class ReaderLease {
  private let station: ReaderStation
  private let holder: ReaderHolder
  private var process: ChildProcess?
  private var packet: SecretBytes
  private var isDefect = false
  private var isReleased = false
  private let since = TimeAsleep.now

  init(station: ReaderStation, holder: ReaderHolder, packet: consuming SecretBytes) {
    self.station = station
    self.holder = holder
    self.packet = packet
  }

  deinit { release() }

  package func finish() { station.finish() }

  func isAt(_ location: ReaderHolder.Location) { station.holderIs(at: location) }

  package func release() {
    if isReleased { return }
    isReleased = true
    process = nil
    station.release(isDefect: isDefect)
  }

  func noteOpening(_ reader: String, _ operation: UInt32, beside: Bool) {
    station.noteOpening(reader, operation, beside: beside)
  }

  /// Starts signet-reader where it does not run, and drops what an earlier request left unread.
  package func start() throws(SystemError) {
    process = try station.process()
    while (try? receive()) != nil {}
  }

  /// A number that no operation had before.
  package func nextOperation() -> UInt32 { station.nextOperation() }

  /// For poll(2); -1 before `start`.
  package var descriptor: Int32 { process?.channel.raw ?? -1 }

  /// Whether signet-reader is alive and not stopped.
  var isAlive: Bool { process?.isRunning ?? false }

  /// Whether the readers have to be given back, and why.
  var recall: ReaderStation.Recall? { station.recall }

  /// Whether the reader told of a finger in this operation, or judged one.
  package func sawFinger(in operation: UInt32) -> Bool { station.sawFinger(in: operation) }

  /// Until when no reader is to be armed; `nil` where it may be.
  var pause: Int64? { station.pauses(holder) }

  /// Whether the machine slept since the readers were lent: a reader that did so is in no state that anybody knows.
  var hasSlept: Bool { TimeAsleep.now.hasGrown(since: since) }

  /// Marks signet-reader as unusable: it is ended when the lease is.
  package func giveUp() { isDefect = true }

  package func send(_ command: ReaderCommand) throws(ReaderTrouble) {
    guard let process else { throw .gone }
    // It may carry a template.
    defer { packet.removeAll() }
    do {
      try command.write(into: &packet)
      try Channel.send(packet, on: process.channel.raw)
    } catch {
      giveUp()
      throw .gone
    }
  }

  /// The next event, waited for `limit` milliseconds at most.
  func receiveWithin(_ limit: Int32) throws(ReaderTrouble) -> ReaderEvent? {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&watched, 1, limit)
    return try receive()
  }

  private static func parse(_ packet: borrowing SecretBytes) throws(FormatError) -> ReaderEvent {
    try ReaderEvent(parsing: packet.span)
  }

  /// The next event, or `nil` where there is none yet.
  package func receive() throws(ReaderTrouble) -> ReaderEvent? {
    guard let process else { throw .gone }
    defer { packet.removeAll() }
    do {
      guard try Channel.receive(into: &packet, from: process.channel.raw) else { return nil }
      let event = try ReaderLease.parse(packet)
      station.note(event)
      return event
    } catch {
      giveUp()
      throw error is FormatError ? .nonsense : .gone
    }
  }
}

/// What is wrong with signet-reader itself, as against a reader's failure that it reports.
package enum ReaderTrouble: Error {
  /// It ended, or does not read.
  case gone
  /// It is stopped, or does not answer in time.
  case stuck
  /// It sent what is not in the protocol.
  case nonsense
}
