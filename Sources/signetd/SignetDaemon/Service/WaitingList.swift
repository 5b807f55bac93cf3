import Synchronization

/// Those who wait in poll(2) for the same thing to happen, each beside its own client. Safe from any thread.
package final class WaitingList: Sendable {
  /// One who waits, until the end of the object. What happens from its beginning on rings its bell.
  package final class Waiter: Sendable {
    private let bell = Bell()
    private let list: WaitingList

    fileprivate init(_ list: WaitingList) {
      self.list = list
      list.bells.withLock { $0[ObjectIdentifier(bell)] = bell }
    }

    deinit { list.bells.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(bell)) } }

    /// For poll(2): readable when a look is worth it. -1 where the system has no descriptor left; whoever waits looks at each
    /// heartbeat, too.
    package var descriptor: Int32 { bell.descriptor }

    /// To be called before each look, so that nothing which happens after it is missed.
    package func looks() { bell.silence() }
  }

  private let bells = Mutex<[ObjectIdentifier: Bell]>([:])

  package init() {}

  package func join() -> Waiter { Waiter(self) }

  /// It happened, or may have.
  package func wake() { bells.withLock { for bell in $0.values { bell.ring() } } }
}
