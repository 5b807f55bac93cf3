import Synchronization

/// The verified passcodes that are about to open a vault: scrypt takes its time, after the verdict.
final class PendingOpenings: Sendable {
  private let counts = Mutex<[UInt32: Int]>([:])

  func begin(_ uid: UInt32) -> PendingOpening {
    counts.withLock { $0[uid, default: 0] += 1 }
    return PendingOpening(openings: self, uid: uid)
  }

  fileprivate func end(_ uid: UInt32) {
    counts.withLock { counts in
      counts[uid, default: 1] -= 1
      if counts[uid] == 0 { counts[uid] = nil }
    }
  }

  func isOpening(_ uid: UInt32) -> Bool { counts.withLock { $0[uid] != nil } }
}

/// One of them, until it is let go.
final class PendingOpening: Sendable {
  private let openings: PendingOpenings
  private let uid: UInt32

  fileprivate init(openings: PendingOpenings, uid: UInt32) {
    self.openings = openings
    self.uid = uid
  }

  deinit { openings.end(uid) }
}
