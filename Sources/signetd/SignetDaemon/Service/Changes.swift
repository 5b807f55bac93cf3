import Synchronization

/// Tells those who watch that something changed which they may have been told of. What it is they find out themselves. Safe from any
/// thread; without watchers it costs next to nothing.
package final class Changes: Sendable {
  /// One who watches, from its beginning to the end of the object. It is told from the first moment on.
  package final class Watcher: Sendable {
    package let bell = Bell()
    private let changes: Changes
    private let number: UInt64

    fileprivate init(_ changes: Changes, number: UInt64) {
      self.changes = changes
      self.number = number
    }

    deinit { changes.end(number) }
  }

  /// What somebody watches.
  package enum Interest {
    /// How a user's fingers stand.
    case fingers
    /// The same, and whether the readers are free: for a login that may ask for the finger again.
    case readers
  }

  private struct Entry {
    var uid: UInt32
    var interest: Interest
    var bell: Bell
  }

  private struct State {
    var watchers: [UInt64: Entry] = [:]
    var lastNumber: UInt64 = 0
  }

  /// How many may watch one user's standing. Logins have limits of their own.
  private static let limit = 4

  private let state = Mutex(State())
  /// Rings when the first begins to watch and when the last has ended.
  package let attention = Bell()

  package init() {}

  /// Whether anybody watches.
  package var hasWatchers: Bool { state.withLock { !$0.watchers.isEmpty } }

  /// One more who watches this user; `nil` where there are too many.
  package func watch(_ uid: UInt32, _ interest: Interest = .fingers) -> Watcher? {
    let watcher: Watcher? = state.withLock { state in
      let others = state.watchers.values.count { $0.uid == uid && $0.interest == .fingers }
      guard interest != .fingers || others < Changes.limit else { return nil }
      state.lastNumber += 1
      let watcher = Watcher(self, number: state.lastNumber)
      state.watchers[state.lastNumber] = Entry(uid: uid, interest: interest, bell: watcher.bell)
      return watcher
    }
    attention.ring()
    return watcher
  }

  private func end(_ number: UInt64) {
    state.withLock { _ = $0.watchers.removeValue(forKey: number) }
    attention.ring()
  }

  /// Something changed for one user, or for all.
  package func ring(_ uid: UInt32? = nil) {
    state.withLock { state in
      for entry in state.watchers.values where uid == nil || entry.uid == uid { entry.bell.ring() }
    }
  }

  /// Whoever had the readers has let them go.
  package func readersAreFree() {
    state.withLock { state in
      for entry in state.watchers.values where entry.interest == .readers { entry.bell.ring() }
    }
  }
}
