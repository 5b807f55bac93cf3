// DaemonReaders has the readers, by way of signet-reader: who may use them now, and what they say.
import CLinux
import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire
import Synchronization

/// Who may use the readers: one scan at a time. A second caller is told who holds them, and is never served by a finger
/// meant for the first.
package final class ReaderStation: Sendable {
  /// Who holds the readers, for the log and for the second caller.
  package struct Holder: Equatable, Sendable {
    package let user: String
    package let service: String

    package init(user: String, service: String) {
      self.user = user
      self.service = service
    }
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
  package func claim(for holder: Holder) -> ReaderClaim {
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
      return .exhausted
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

  package func finish() { state.withLock { $0.isFinishing = true } }

  /// Starts signet-reader ahead of its first use.
  package func prepare() {
    do { _ = try process() } catch { Log.write(.error, error.description) }
  }

  /// The running signet-reader, or a new one. None for a holder who has to let go.
  package func process() throws(SystemError) -> ChildProcess {
    let result: Result<ChildProcess, SystemError> = state.withLock { state in
      if state.isRevoked { return .failure(.call(.start, path, code: ECANCELED)) }
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

  package func nextOperation() -> UInt32 {
    state.withLock { state in
      state.lastOperation &+= 1
      return state.lastOperation
    }
  }

  /// Gives the readers back; `isDefect` ends the process, whose next user gets a new one.
  package func release(isDefect: Bool) {
    state.withLock { state in
      state.holder = nil
      state.isRevoked = false
      state.idleSince = bootMilliseconds()
      if isDefect { state.process = nil }
    }
  }

  /// Ends signet-reader where nobody has used it for a while. Returns how long to wait for the next look, in milliseconds.
  package func endIfIdle() -> Int64? {
    state.withLock { state in
      guard state.holder == nil, state.process != nil else { return nil }
      let rest = state.idleSince + ReaderStation.idleLimit - bootMilliseconds()
      if rest <= 0 { state.process = nil }
      return rest <= 0 ? nil : rest
    }
  }

  /// Whether a reader is in use, signet-reader still runs, or a sleep is to be remembered.
  package var isBusy: Bool {
    state.withLock { state in
      state.holder != nil || state.process != nil || state.suspension.holds(at: monotonicMilliseconds())
    }
  }

  /// Makes ready for a sleep: takes the readers from whoever has them, lets signet-reader close and end, and lends nothing
  /// until `resume`. A holder or a reader that does not come to an end is not waited for: the machine sleeps anyway.
  package func suspend() {
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
  package func resume() { state.withLock { $0.suspension.resume() } }

  /// Whether the holder has to let go.
  var isRevoked: Bool { state.withLock { $0.isRevoked } }
}
