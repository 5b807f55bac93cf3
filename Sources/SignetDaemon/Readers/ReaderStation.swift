import CLinux
import Glibc
import SignetFiles
import SignetMemory
import SignetWire
import Synchronization

/// Who may use the readers: one scan at a time. A second caller is told who holds them, and is never served by a finger
/// meant for the first.
public final class ReaderStation: Sendable {
  /// Who holds the readers, for the log and for the second caller.
  struct Holder: Equatable, Sendable {
    var user: String
    var service: String
  }

  private struct State {
    var holder: Holder?
    /// The holder has its verdict and is about to let go.
    var isFinishing = false
    var process: ChildProcess?
    var lastOperation: UInt32 = 0
    var idleSince: Int64 = 0
  }

  /// How long an unused signet-reader is kept, in milliseconds: long enough for the next `sudo`, short enough that an idle
  /// machine has none.
  static let idleLimit: Int64 = 5_000

  /// How long a holder that is finishing may take, in milliseconds: sending a reply and closing the reader.
  private static let finishLimit: Int64 = 200

  private let path: String
  private let arguments: [String]
  private let state = Mutex(State())

  /// `path` is signet-reader's.
  public init(path: String, arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  /// The readers for one request, or who has them.
  func claim(for holder: Holder) -> ReaderClaim {
    let deadline = bootMilliseconds() + ReaderStation.finishLimit
    while let current = take(holder) {
      guard current.isFinishing, bootMilliseconds() < deadline else { return .heldBy(current.holder) }
      _ = poll(nil, 0, 1)
    }
    guard let packet = SecretBytes(capacity: WireLimit.readerPacket) else {
      release(isDefect: false)
      return .heldBy(Holder(user: "nobody", service: "a system without memory"))
    }
    return .lease(ReaderLease(station: self, packet: packet))
  }

  /// Takes the readers, or tells who has them.
  private func take(_ holder: Holder) -> (holder: Holder, isFinishing: Bool)? {
    state.withLock { state in
      if let current = state.holder { return (current, state.isFinishing) }
      state.holder = holder
      state.isFinishing = false
      return nil
    }
  }

  fileprivate func finish() { state.withLock { $0.isFinishing = true } }

  /// Starts signet-reader ahead of its first use.
  func prepare() {
    do { _ = try process() } catch { Log.write(.error, error.description) }
  }

  /// The running signet-reader, or a new one.
  fileprivate func process() throws(SystemError) -> ChildProcess {
    let result: Result<ChildProcess, SystemError> = state.withLock { state in
      if let process = state.process, process.isRunning { return .success(process) }
      do throws(SystemError) {
        let process = try ChildProcess(path: path, arguments: arguments)
        state.process = process
        state.idleSince = bootMilliseconds()
        return .success(process)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  fileprivate func nextOperation() -> UInt32 {
    state.withLock { state in
      state.lastOperation &+= 1
      return state.lastOperation
    }
  }

  /// Gives the readers back; `isDefect` ends the process, whose next user gets a new one.
  fileprivate func release(isDefect: Bool) {
    state.withLock { state in
      state.holder = nil
      state.idleSince = bootMilliseconds()
      if isDefect { state.process = nil }
    }
  }

  /// Ends signet-reader where nobody has used it for a while. Returns how long to wait for the next look, in milliseconds.
  func endIfIdle() -> Int64? {
    state.withLock { state in
      guard state.holder == nil, state.process != nil else { return nil }
      let rest = state.idleSince + ReaderStation.idleLimit - bootMilliseconds()
      if rest <= 0 { state.process = nil }
      return rest <= 0 ? nil : rest
    }
  }

  /// Whether a reader is in use or signet-reader still runs.
  var isBusy: Bool { state.withLock { $0.holder != nil || $0.process != nil } }
}

enum ReaderClaim {
  case lease(ReaderLease)
  case heldBy(ReaderStation.Holder)
}

/// The exclusive use of the readers, by one thread, until `release`.
final class ReaderLease {
  private let station: ReaderStation
  private var process: ChildProcess?
  private var packet: SecretBytes
  private var isDefect = false
  private var isReleased = false

  fileprivate init(station: ReaderStation, packet: consuming SecretBytes) {
    self.station = station
    self.packet = packet
  }

  deinit { release() }

  func finish() { station.finish() }

  func release() {
    if isReleased { return }
    isReleased = true
    process = nil
    station.release(isDefect: isDefect)
  }

  /// Starts signet-reader where it does not run, and drops what an earlier request left unread.
  func start() throws(SystemError) {
    process = try station.process()
    while (try? receive()) != nil {}
  }

  /// A number that no operation had before.
  func nextOperation() -> UInt32 { station.nextOperation() }

  /// For poll(2); -1 before `start`.
  var descriptor: Int32 { process?.channel.raw ?? -1 }

  /// Whether signet-reader is alive and not stopped.
  var isAlive: Bool { process?.isRunning ?? false }

  /// Marks signet-reader as unusable: it is ended when the lease is.
  func giveUp() { isDefect = true }

  func send(_ command: ReaderCommand) throws(ReaderTrouble) {
    guard let process else { throw .gone }
    do {
      try command.write(into: &packet)
      try Channel.send(packet, on: process.channel.raw)
      packet.removeAll()
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

  private static func parse(_ packet: borrowing SecretBytes) throws(WireError) -> ReaderEvent {
    try ReaderEvent(parsing: packet.span)
  }

  /// The next event, or `nil` where there is none yet.
  func receive() throws(ReaderTrouble) -> ReaderEvent? {
    guard let process else { throw .gone }
    do {
      guard try Channel.receive(into: &packet, from: process.channel.raw) else { return nil }
      let event = try ReaderLease.parse(packet)
      packet.removeAll()
      return event
    } catch {
      giveUp()
      throw error is WireError ? .nonsense : .gone
    }
  }
}

/// What is wrong with signet-reader itself, as against a reader's failure that it reports.
enum ReaderTrouble: Error {
  /// It ended, or does not read.
  case gone
  /// It is stopped, or does not answer in time.
  case stuck
  /// It sent what is not in the protocol.
  case nonsense
}
