import Synchronization

/// A gate for tasks: they wait until it is opened, and who opens it can wait for them to arrive.
public final class Gate: Sendable {
  private struct Standing {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let standing = Mutex(Standing())

  public init() {}

  /// Waits until the gate is open.
  public func pass() async {
    await withCheckedContinuation { continuation in
      let (resumed, watchers) = standing.withLock { standing in
        standing.arrived += 1
        if !standing.isOpen { standing.waiting.append(continuation) }
        let ready = standing.watching.filter { $0.count <= standing.arrived }
        standing.watching.removeAll { $0.count <= standing.arrived }
        return (standing.isOpen, ready.map(\.continuation))
      }
      if resumed { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Waits until so many have come to the gate.
  public func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = standing.withLock { standing in
        if standing.arrived < count { standing.watching.append((count, continuation)) }
        return standing.arrived >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Opens it for good.
  public func open() {
    let waiting = standing.withLock { standing in
      standing.isOpen = true
      defer { standing.waiting = [] }
      return standing.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
