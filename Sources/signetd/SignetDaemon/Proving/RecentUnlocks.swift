import DaemonService
import SignetAuthentication
import Synchronization

/// Who unlocked a screen, or logged in, at the seat of the readers by finger, in the last minutes: an application that accepts it need
/// not ask for the finger again. It is in memory only, and lost with signetd.
package final class RecentUnlocks: Sendable {
  private let unlocks = Mutex<[UInt32: ContextEvidence]>([:])

  package init() {}

  package func note(_ evidence: borrowing AuthenticationEvidence, on basis: ContextEvidence.Basis) {
    let now = bootMilliseconds()
    var unlock = ContextEvidence()
    unlock.keep(evidence, at: now, on: basis)
    let uid = evidence.uid
    unlocks.withLock { unlocks in
      unlocks = unlocks.filter { $0.value.end.map { $0 > now } ?? false }
      unlocks[uid] = unlock
    }
  }

  /// Whether the user did so at most so many seconds ago, on this basis.
  func has(_ uid: UInt32, within seconds: UInt16, on basis: ContextEvidence.Basis, isLocked: Bool) -> Bool {
    let unlock = unlocks.withLock { $0[uid] }
    let methods = unlock?.methods(at: bootMilliseconds(), on: basis, isLocked: isLocked, lifetime: Int64(seconds) * 1000)
    return methods?.contains(.fingerprint) ?? false
  }

  /// Another number for each that was noted of a user: when it ends to count, on the boot clock; 0 where there was none.
  package func number(of uid: UInt32) -> UInt64 { unlocks.withLock { UInt64(clamping: $0[uid]?.end ?? 0) } }

  /// Whether there is one that signetd must not forget yet.
  package var isRecent: Bool {
    let now = bootMilliseconds()
    return unlocks.withLock { $0.values.contains { ($0.end ?? 0) > now } }
  }
}
