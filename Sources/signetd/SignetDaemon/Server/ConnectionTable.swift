import DaemonConnections
import DaemonService
import SignetAuthentication
import SignetVocabulary
import Synchronization

/// Lets connections in and displaces them, as `Admission` decides, and logs who is turned away. For any thread.
final class ConnectionTable: Sendable {
  private struct State {
    var admission: Admission
    var slots: [UInt64: ConnectionSlot] = [:]
    var turnedAway = FloodReport<RequestOrigin.Source>()
    var misuse = FloodReport<RequestOrigin.Source>()
  }

  private let state: Monitor<State>
  /// Rings when a connection has something to do again, or ends, while the main loop sleeps because none had.
  let bell = Bell()
  private let isAsleep = Atomic<Bool>(false)

  init(_ limits: Admission.Limits) { state = Monitor(State(admission: Admission(limits))) }

  var isEmpty: Bool { state.withLock { $0.admission.isEmpty } }

  /// Waits until no connection is left, to `deadline` on the monotonic clock at most.
  func awaitEmpty(until deadline: Int64) { state.wait(until: deadline) { $0.admission.isEmpty } }

  /// Whether connections are only there to be asked something later, or to be told of changes. `bell` says when they are not.
  func sleeps() -> Bool {
    // Before the look: who begins after it finds the main loop asleep, and rings.
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    let now = bootMilliseconds()
    let isAtWork = state.withLock { state in
      state.slots.values.contains { [.busy, .typing].contains($0.use(at: now)) }
    }
    if isAtWork { isAsleep.store(false, ordering: .sequentiallyConsistent) }
    return !isAtWork
  }

  /// Tells logins that hear nothing yet that signetd is alive. When to do so again, on the boot clock.
  func pulse() -> Int64? {
    let now = bootMilliseconds()
    return state.withLock { $0.slots.values.compactMap { $0.pulse(at: now) }.min() }
  }

  private func wake() {
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { bell.ring() }
  }

  /// Whether a user connects so often that there is no place for this one, whoever is behind them.
  func isClosed(to user: UInt32, pid: Int32) -> Bool {
    let now = bootMilliseconds()
    let source = RequestOrigin.Source.user(user)
    let (isClosed, isNews) = state.withLock { state in
      let isClosed = state.admission.isSpent(source, at: now)
      return (isClosed, isClosed && state.turnedAway.add(source, at: now))
    }
    if isNews { logTurnedAway(source, pid) }
    return isClosed
  }

  /// A place for somebody who has connected; `nil`, logged, where there is none.
  func admit(_ source: RequestOrigin.Source, pid: Int32) -> ConnectionSlot? {
    let now = bootMilliseconds()
    let (slot, isNews) = state.withLock { state -> (ConnectionSlot?, Bool) in
      let slots = state.slots
      let entry = state.admission.arrive(from: source, at: now) { slots[$0]?.use(at: now) ?? .busy }
      guard let entry else { return (nil, state.turnedAway.add(source, at: now)) }
      if let displaced = entry.displaced { slots[displaced]?.displace() }
      let slot = ConnectionSlot(
        number: entry.number, crowd: source.crowd, isForControl: entry.isForControl, whenAtWork: { [weak self] in self?.wake() })
      state.slots[entry.number] = slot
      return (slot, false)
    }
    if isNews { logTurnedAway(source, pid) }
    return slot
  }

  private func logTurnedAway(_ source: RequestOrigin.Source, _ pid: Int32) {
    Log.write(.warning, "too many connections", [("from", source.description), ("pid", "\(pid)")], for: source)
  }

  /// A connection is over.
  func leave(_ slot: ConnectionSlot) {
    state.withLock { state in
      state.admission.leave(slot.number)
      state.slots[slot.number] = nil
    }
    wake()
  }

  /// Logs what a client did that ended its connection, unless the same user's clients fill the log.
  func complain(_ misuse: String, of source: RequestOrigin.Source, pid: Int32) {
    let isNews = state.withLock { $0.misuse.add(source, at: bootMilliseconds()) }
    guard isNews else { return }
    Log.write(.warning, "connection ended: \(misuse)", [("pid", "\(pid)"), ("from", source.description)], for: source)
  }

  /// Whether something happened that is to be logged later.
  var hasToReport: Bool { state.withLock { $0.turnedAway.hasMore || $0.misuse.hasMore } }

  /// Logs, once a minute, how much of this there was; the rest of it where signetd ends.
  func report(isLast: Bool = false) {
    let now = isLast ? Int64.max : bootMilliseconds()
    let (turnedAway, misuse) = state.withLock { ($0.turnedAway.due(at: now), $0.misuse.due(at: now)) }
    for (source, count) in turnedAway {
      Log.write(.warning, "too many connections", [("from", source.description), ("count", "\(count)")], for: source)
    }
    for (source, count) in misuse {
      Log.write(.warning, "connections ended", [("from", source.description), ("count", "\(count)")], for: source)
    }
  }
}

extension RequestOrigin.Source {
  /// Whose crowd it is where there is no place for one of theirs.
  var crowd: Crowd { self == .service ? .ofServices : .ofAsker }
}
