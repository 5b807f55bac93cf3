import Synchronization

/// A gate for tasks: they wait until it is opened, and who opens it can wait for them to arrive.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init() {}

  /// Waits until the gate is open.
  public func pass() async {
    await withCheckedContinuation { continuation in
      let (resumed, watchers) = state.withLock { state in
        state.arrived += 1
        if !state.isOpen { state.waiting.append(continuation) }
        let ready = state.watching.filter { $0.count <= state.arrived }
        state.watching.removeAll { $0.count <= state.arrived }
        return (state.isOpen, ready.map(\.continuation))
      }
      if resumed { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Waits until so many have come to the gate.
  public func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrived < count { state.watching.append((count, continuation)) }
        return state.arrived >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Opens it for good.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
