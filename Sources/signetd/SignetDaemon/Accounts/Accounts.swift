import DaemonService
import SignetAuthentication
import SignetVocabulary
import Synchronization

/// The accounts that are in memory: one object a uid, so that all connections count on the same one.
package final class Accounts: Sendable {
  private let store: SharedStore
  private let limits: LockoutLimits
  private let rules: PasscodeRules
  private let clock: MomentClock
  private let whenLocked: @Sendable (UInt32, LockReason) -> Void
  private let whenChanged: @Sendable (UInt32) -> Void
  private let known = Mutex<[UInt32: Account]>([:])

  /// `whenLocked` is told when strikes or a request lock a user, `whenChanged` of each change of what is stored of one.
  package init(
    store: SharedStore, limits: LockoutLimits, rules: PasscodeRules, clock: @escaping MomentClock = machineMoment,
    whenLocked: @escaping @Sendable (UInt32, LockReason) -> Void = { _, _ in },
    whenChanged: @escaping @Sendable (UInt32) -> Void = { _ in }
  ) {
    self.whenLocked = whenLocked
    self.whenChanged = whenChanged
    self.store = store
    self.limits = limits
    self.rules = rules
    self.clock = clock
  }

  package subscript(uid: UInt32) -> Account {
    known.withLock { known in
      if let account = known[uid] { return account }
      let account = Account(
        uid: uid, store: store, limits: limits, rules: rules, clock: clock,
        whenLocked: { [whenLocked] reason in whenLocked(uid, reason) }, whenChanged: { [whenChanged] in whenChanged(uid) })
      known[uid] = account
      return account
    }
  }
}
