// DaemonReaders has the readers, by way of signet-reader: who may use them now, and what they say.
import CLinux
import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire

/// Who may use the readers: one scan at a time. A second caller is told who holds them, and is never served by a finger
/// meant for the first.
package final class ReaderStation: Sendable {
  /// Why a holder has to let go.
  enum Recall {
    /// The machine is about to sleep.
    case sleep
    /// The session at the reader's seat wants it.
    case seat
  }

  struct State {
    var holder: ReaderHolder?
    /// The holder has its verdict, or was cancelled, and is about to let go.
    var isFinishing = false
    var recall: Recall?
    var finger = FingerTrace()
    var listing = ReaderListing()
    var inventory = ReaderInventory()
    var suspension = Suspension()
    var process: ChildProcess?
    /// When that process was started, in sleeps of the machine: it does not outlive one.
    var startedAt = TimeAsleep.now
    var lastOperation: UInt32 = 0
    var idleSince: Int64 = 0

    mutating func note(_ event: ReaderEvent) {
      finger.note(event, at: bootMilliseconds())
      listing.note(event, at: bootMilliseconds())
      let before = inventory.revision
      inventory.note(event)
      if inventory.revision != before { listing.outdate() }
    }
  }

  /// How long an unused signet-reader is kept, in milliseconds: long enough for the next `sudo`, short enough that an idle
  /// machine has none.
  static let idleLimit: Int64 = 5_000

  /// How long a holder that is finishing may take, in milliseconds: sending a reply and closing the reader, or ending a scan of which
  /// nothing is to be heard any more. That takes `CancelledOperation.endLimit` at most, so that who asks meanwhile gets the reader.
  private static let finishLimit = CancelledOperation.endLimit + 200
  /// How long one who is recalled may take to let go for the seat, in milliseconds: it looks about at every heartbeat. A reader
  /// that takes longer is slow to cancel, and the passcode is faster.
  private static let recallLimit: Int64 = 500

  /// How long, before a sleep, a holder may take to let go, and signet-reader to close and end, in milliseconds.
  private static let yieldLimit: Int64 = 900
  private static let drainLimit: Int64 = 500

  private let path: String
  private let arguments: [String]
  let state = Monitor(State())
  /// Those who wait for an answer that somebody else may read.
  let listingNews = WaitingList()
  /// Tells watchers when readers come, go and are free.
  package let changes: Changes

  /// `path` is signet-reader's.
  package init(path: String, arguments: [String], changes: Changes = Changes()) {
    self.path = path
    self.arguments = arguments
    self.changes = changes
  }

  /// The readers for one request, or why there are none for it.
  package func claim(for holder: ReaderHolder) -> ReaderClaim {
    let begin = monotonicMilliseconds()
    let obstacle: Obstacle? = state.wait { state in
      let obstacle = ReaderStation.take(&state, for: holder)
      guard case .leaving(let current, let limit) = obstacle else { return .found(obstacle) }
      return .waits(until: begin + limit, otherwise: .holder(current))
    }
    switch obstacle {
    case .sleep: return .asleep
    case .holder(let current), .leaving(let current, _): return .heldBy(current)
    case nil: break
    }
    guard let packet = SecretBytes(capacity: PacketLimit.readerPacket) else {
      release(isDefect: false)
      return .exhausted
    }
    return .lease(ReaderLease(station: self, holder: holder, packet: packet))
  }

  private enum Obstacle {
    case sleep
    case holder(ReaderHolder)
    /// One who is about to let go, and for how long that is worth waiting, in milliseconds.
    case leaving(ReaderHolder, limit: Int64)
  }

  /// Takes the readers, or tells what is in the way.
  private static func take(_ state: inout State, for holder: ReaderHolder) -> Obstacle? {
    if state.suspension.holds(at: monotonicMilliseconds()) { return .sleep }
    if let current = state.holder {
      if state.isFinishing { return .leaving(current, limit: ReaderStation.finishLimit) }
      // One session is in the foreground at a time: another user at the seat has been switched away from since.
      let isFirst = current.location.rawValue < holder.location.rawValue || current.user.uid != holder.user.uid
      guard holder.location != .elsewhere, isFirst else { return .holder(current) }
      if state.recall == nil { state.recall = .seat }
      return .leaving(current, limit: ReaderStation.recallLimit)
    }
    state.holder = holder
    state.isFinishing = false
    state.finger.begin(for: holder.user.uid, from: state.lastOperation &+ 1)
    return nil
  }

  func holderIs(at location: ReaderHolder.Location) { state.withLock { $0.holder?.location = location } }

  package func finish() { state.withLock { $0.isFinishing = true } }

  /// Starts signet-reader ahead of its first use.
  package func prepare() {
    do { _ = try process() } catch { Log.write(.error, error.description) }
  }

  /// The running signet-reader, or a new one. None for a holder who has to let go.
  package func process() throws(SystemError) -> ChildProcess {
    let result: Result<ChildProcess, SystemError> = state.withLock { state in
      do throws(SystemError) { return .success(try process(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  func process(_ state: inout State) throws(SystemError) -> ChildProcess {
    if state.recall == .sleep { throw .call(.start, path, code: ECANCELED) }
    let now = TimeAsleep.now
    if let process = state.process, process.isRunning, !now.hasGrown(since: state.startedAt) { return process }
    let process = try ChildProcess(path: path, arguments: arguments)
    state.process = process
    state.startedAt = now
    state.idleSince = bootMilliseconds()
    return process
  }

  package func nextOperation() -> UInt32 {
    state.withLock { ReaderStation.nextOperation(&$0) }
  }

  static func nextOperation(_ state: inout State) -> UInt32 {
    state.lastOperation &+= 1
    return state.lastOperation
  }

  /// Gives the readers back; `isDefect` ends the process, whose next user gets a new one.
  package func release(isDefect: Bool) {
    state.withLock { state in
      let now = bootMilliseconds()
      state.finger.end(at: now)
      state.holder = nil
      state.recall = nil
      state.idleSince = now
      if isDefect { state.process = nil }
    }
    changes.readersAreFree()
    listingNews.wake()
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
    defer {
      changes.ring()
      listingNews.wake()
    }
    state.withLock { state in
      state.suspension.suspend(at: monotonicMilliseconds())
      state.recall = state.holder == nil ? nil : .sleep
    }
    awaitFree(until: monotonicMilliseconds() + ReaderStation.yieldLimit)
    let process = state.withLock { state in
      defer { state.process = nil }
      return state.process
    }
    process?.finish(within: ReaderStation.drainLimit)
  }

  /// Waits until nobody has the readers, not even for a cancelled operation that is yet to end; to `deadline` on the monotonic
  /// clock at most.
  package func awaitFree(until deadline: Int64) { state.wait(until: deadline) { $0.holder == nil } }

  /// The machine is awake: the next request starts a new signet-reader.
  package func resume() {
    state.withLock { $0.suspension.resume() }
    changes.ring()
  }

  /// Whether the holder has to let go, and why.
  var recall: Recall? { state.withLock { $0.recall } }

  /// Notes what signet-reader said of a finger, and of the readers that somebody wants to know of.
  func note(_ event: ReaderEvent) {
    let hasChanged = state.withLock { state in
      let before = state.inventory.revision
      state.note(event)
      return state.inventory.revision != before
    }
    if hasChanged { changes.ring() }
    listingNews.wake()
  }

  /// Notes which reader the next `opened` is about.
  func noteOpening(_ reader: String, _ operation: UInt32, beside: Bool) {
    state.withLock { $0.inventory.noteOpening(reader, operation, beside: beside) }
  }

  /// Something was plugged in or out.
  package func devicesChanged() {
    state.withLock { state in
      state.inventory.forget()
      state.listing.outdate()
    }
    changes.ring()
  }

  func sawFinger(in operation: UInt32) -> Bool { state.withLock { $0.finger.wasSeen(in: operation) } }

  /// Until when no reader is to be armed for `holder`, because another user's finger may still lie on it; `nil` where it may be.
  func pauses(_ holder: ReaderHolder) -> Int64? {
    state.withLock { $0.finger.pauses(holder.user.uid, at: bootMilliseconds()) }
  }
}
