import DaemonService
import Synchronization

/// Counts, for each user, the verified passcodes that are about to open the vault: scrypt runs after the verdict, and a
/// request that comes meanwhile can wait for it instead of asking for the passcode again.
final class PendingOpenings: Sendable {
  private let counts = Mutex<[UInt32: Int]>([:])
  private let whenBegun: @Sendable () -> Void
  /// Those who wait for one to end.
  let ends = WaitingList()

  init(whenBegun: @escaping @Sendable () -> Void) { self.whenBegun = whenBegun }

  func begin(_ uid: UInt32, _ ticket: UserKeys.Ticket) -> PendingOpening {
    counts.withLock { $0[uid, default: 0] += 1 }
    whenBegun()
    return PendingOpening(openings: self, uid: uid, ticket: ticket)
  }

  fileprivate func end(_ uid: UInt32) {
    counts.withLock { counts in
      counts[uid, default: 1] -= 1
      if counts[uid] == 0 { counts[uid] = nil }
    }
    ends.wake()
  }

  /// Whose vault is about to be opened.
  var uids: [UInt32] { counts.withLock { Array($0.keys) } }

  func isOpening(_ uid: UInt32) -> Bool { counts.withLock { $0[uid] != nil } }
}

/// One opening that is under way. It counts until the value is released.
package final class PendingOpening: Sendable {
  private let openings: PendingOpenings
  private let uid: UInt32
  /// A key that is erased after this was made stays erased.
  let ticket: UserKeys.Ticket

  fileprivate init(openings: PendingOpenings, uid: UInt32, ticket: UserKeys.Ticket) {
    self.openings = openings
    self.uid = uid
    self.ticket = ticket
  }

  deinit { openings.end(uid) }
}
