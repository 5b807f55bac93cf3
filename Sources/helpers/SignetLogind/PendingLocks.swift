/// Locks that signetd has not done yet, as a value: which are asked for again, and when.
struct PendingLocks {
  struct Lock: Equatable {
    /// The session's path on the bus.
    var session: String
    var user: String
  }

  private var locks: [Lock] = []
  private var backoff = Backoff()
  /// Whether a next time is set already, for all of them.
  private var isSet = false

  /// It is not done. In how many seconds all are to be tried; `nil` where that is set already.
  mutating func keep(_ lock: Lock) -> UInt32? {
    if !locks.contains(lock) { locks.append(lock) }
    guard !isSet else { return nil }
    isSet = true
    return backoff.next()
  }

  /// It is done, or not to be done any more.
  mutating func forget(_ session: String) {
    locks.removeAll { $0.session == session }
    if locks.isEmpty { backoff.reset() }
  }

  /// Those whose time has come.
  mutating func due() -> [Lock] {
    isSet = false
    return locks
  }
}
