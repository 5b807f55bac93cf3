import DaemonService
import Synchronization

/// One key of a user in the TPM at a time. The TPM takes its time for each, in a process of its own: who asks for many at once waits for
/// themselves, and takes neither the TPM nor processes from others. Safe from any thread.
package final class TPMTurns: Sendable {
  /// Wakes those who wait for a turn.
  package let ends = WaitingList()
  private let taken = Mutex<Set<UInt32>>([])

  /// Whether it is the user's turn now, until `end`.
  package func take(of uid: UInt32) -> Bool { taken.withLock { $0.insert(uid).inserted } }

  package func end(of uid: UInt32) {
    taken.withLock { _ = $0.remove(uid) }
    ends.wake()
  }
}
