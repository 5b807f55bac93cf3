import CLinux
import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetWire
import Synchronization

/// Who may use the readers: one scan at a time. A second caller is told who holds them, and is never served by a finger
/// meant for the first.
package final class ReaderStation: Sendable {
  /// Who holds the readers, for the log and for the second caller.
  struct Holder: Equatable, Sendable {
    var user: String
    var service: String
  }

  private struct State {
    var holder: Holder?
    /// The holder has its verdict and is about to let go.
    var isFinishing = false
    /// The machine is about to sleep: the holder has to let go.
    var isRevoked = false
    var suspension = Suspension()
    var process: ChildProcess?
    /// When that process was started, in sleeps of the machine: it does not outlive one.
    var startedAt = TimeAsleep.now
    var lastOperation: UInt32 = 0
    var idleSince: Int64 = 0
  }

  /// How long an unused signet-reader is kept, in milliseconds: long enough for the next `sudo`, short enough that an idle
  /// machine has none.
  static let idleLimit: Int64 = 5_000

  /// How long a holder that is finishing may take, in milliseconds: sending a reply and closing the reader.
  private static let finishLimit: Int64 = 200

  /// How long, before a sleep, a holder may take to let go, and signet-reader to close and end, in milliseconds.
  private static let yieldLimit: Int64 = 900
  private static let drainLimit: Int64 = 500

  private let path: String
  private let arguments: [String]
  private let state = Mutex(State())

  /// `path` is signet-reader's.
  package init(path: String, arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  /// The readers for one request, or why there are none for it.
  func claim(for holder: Holder) -> ReaderClaim {
    let deadline = bootMilliseconds() + ReaderStation.finishLimit
    while let obstacle = take(holder) {
      switch obstacle {
      case .sleep: return .asleep
      case .finishing(let current) where bootMilliseconds() >= deadline: return .heldBy(current)
      case .finishing: _ = poll(nil, 0, 1)
      case .holder(let current): return .heldBy(current)
      }
    }
    guard let packet = SecretBytes(capacity: PacketLimit.readerPacket) else {
      release(isDefect: false)
      return .heldBy(Holder(user: "nobody", service: "a system without memory"))
    }
    return .lease(ReaderLease(station: self, packet: packet))
  }

  private enum Obstacle {
    case sleep
    case holder(Holder)
    case finishing(Holder)
  }

  /// Takes the readers, or tells what is in the way.
  private func take(_ holder: Holder) -> Obstacle? {
    state.withLock { state in
      if state.suspension.holds(at: monotonicMilliseconds()) { return .sleep }
      if let current = state.holder { return state.isFinishing ? .finishing(current) : .holder(current) }
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

  /// The running signet-reader, or a new one. None for a holder who has to let go.
  fileprivate func process() throws(SystemError) -> ChildProcess {
    let result: Result<ChildProcess, SystemError> = state.withLock { state in
      if state.isRevoked { return .failure(SystemError(call: "start \(path) before a sleep", code: ECANCELED)) }
      let now = TimeAsleep.now
      if let process = state.process, process.isRunning, !now.hasGrown(since: state.startedAt) { return .success(process) }
      do throws(SystemError) {
        let process = try ChildProcess(path: path, arguments: arguments)
        state.process = process
        state.startedAt = now
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
      state.isRevoked = false
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

  /// Whether a reader is in use, signet-reader still runs, or a sleep is to be remembered.
  var isBusy: Bool {
    state.withLock { state in
      state.holder != nil || state.process != nil || state.suspension.holds(at: monotonicMilliseconds())
    }
  }

  /// Makes ready for a sleep: takes the readers from whoever has them, lets signet-reader close and end, and lends nothing
  /// until `resume`. A holder or a reader that does not come to an end is not waited for: the machine sleeps anyway.
  func suspend() {
    state.withLock { state in
      state.suspension.suspend(at: monotonicMilliseconds())
      state.isRevoked = state.holder != nil
    }
    let deadline = monotonicMilliseconds() + ReaderStation.yieldLimit
    while isHeld, monotonicMilliseconds() < deadline { _ = poll(nil, 0, 2) }
    let process = state.withLock { state in
      defer { state.process = nil }
      return state.process
    }
    process?.finish(within: ReaderStation.drainLimit)
  }

  private var isHeld: Bool { state.withLock { $0.holder != nil } }

  /// The machine is awake: the next request starts a new signet-reader.
  func resume() { state.withLock { $0.suspension.resume() } }

  /// Whether the holder has to let go.
  fileprivate var isRevoked: Bool { state.withLock { $0.isRevoked } }
}

enum ReaderClaim {
  case lease(ReaderLease)
  case heldBy(ReaderStation.Holder)
  /// The machine is about to sleep.
  case asleep
}

/// The exclusive use of the readers, by one thread, until `release`.
final class ReaderLease {
  private let station: ReaderStation
  private var process: ChildProcess?
  private var packet: SecretBytes
  private var isDefect = false
  private var isReleased = false
  private let since = TimeAsleep.now

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

  /// Whether a sleep was announced, before which the readers have to be given back.
  var isRevoked: Bool { station.isRevoked }

  /// Whether the machine slept since the readers were lent: a reader that did so is in no state that anybody knows.
  var hasSlept: Bool { TimeAsleep.now.hasGrown(since: since) }

  /// Marks signet-reader as unusable: it is ended when the lease is.
  func giveUp() { isDefect = true }

  func send(_ command: ReaderCommand) throws(ReaderTrouble) {
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
  func receive() throws(ReaderTrouble) -> ReaderEvent? {
    guard let process else { throw .gone }
    defer { packet.removeAll() }
    do {
      guard try Channel.receive(into: &packet, from: process.channel.raw) else { return nil }
      return try ReaderLease.parse(packet)
    } catch {
      giveUp()
      throw error is FormatError ? .nonsense : .gone
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
