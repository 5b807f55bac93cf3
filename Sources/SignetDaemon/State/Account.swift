import SignetAuthentication
import SignetFiles
import SignetWire
import Synchronization

/// The strikes of one user, in memory and on disk. Its lock is held while a change is made durable, so that between
/// charging a strike and adopting it nothing else touches the account.
final class Account: Sendable {
  let uid: UInt32
  private let store: SharedStore
  private let limits: LockoutLimits
  private let lockout: Mutex<Lockout>

  /// Why a user's fingerprints cannot be used now.
  struct Standing: Equatable {
    var strikes: Int
    var lock: LockReason
    var explanation: String
  }

  enum ChargeRefusal: Error {
    case locked
    /// Another scan of this user is undecided.
    case busy
    case notDurable(SystemError)
  }

  init(uid: UInt32, store: SharedStore, limits: LockoutLimits) {
    self.uid = uid
    self.store = store
    self.limits = limits
    lockout = Mutex(.unusable(limits: limits))
    lockout.withLock { $0 = self.read(over: nil) }
  }

  /// The lockout as memory and disk have it together.
  ///
  /// Of the two counts the higher is taken: an older file put back does not take strikes away, and a file that cannot be
  /// believed locks. Only what this daemon itself made durable lowers the count.
  private func read(over known: Lockout?) -> Lockout { merge(store.value.strikes(of: uid), over: known) }

  private func merge(_ found: AccountStore.StoredStrikes, over known: Lockout?) -> Lockout {
    guard case .strikes(let stored) = found else { return .unusable(limits: limits) }
    if let known, let durable = known.durable, stored <= durable { return known }
    return Lockout(strikes: stored, limits: limits)
  }

  /// Whether the fingerprints are locked, by strikes or by a state file that cannot be believed.
  var standing: Standing {
    lockout.withLock { lockout in
      let found = store.value.strikes(of: uid)
      lockout = merge(found, over: lockout)
      switch found {
      case .strikes:
        return Standing(
          strikes: lockout.durable ?? limits.strikes, lock: lockout.isLocked ? .strikes : .none, explanation: "")
      case .missing(let path):
        return Standing(
          strikes: limits.strikes, lock: .stateUnusable,
          explanation: "\(path) is missing. Log in with your passcode once to write it anew.")
      case .unusable(let path, let why):
        return Standing(
          strikes: limits.strikes, lock: .stateUnusable,
          explanation: "\(path) cannot be used: \(why). Log in with your passcode once to write it anew.")
      }
    }
  }

  var isLocked: Bool { lockout.withLock { $0.isLocked } }

  /// How many misses are left until the lock.
  var missesLeft: Int { lockout.withLock { max(0, limits.strikes - ($0.durable ?? limits.strikes)) } }

  /// Charges one strike durably, for one scan.
  func charge() throws(ChargeRefusal) -> ChargedStrike {
    let result: Result<Void, ChargeRefusal> = lockout.withLock { lockout in
      lockout = read(over: lockout)
      guard !lockout.isLocked else { return .failure(.locked) }
      guard let charged = lockout.after(.charge) else { return .failure(.busy) }
      return adopt(charged, &lockout).mapError { .notDurable($0) }
    }
    try result.get()
    return ChargedStrike(account: self)
  }

  /// Ends a charged scan with `event`, and runs `tell` before the change is made durable, both under the account's lock:
  /// a user is told of a match before the disk is waited for, and the next login waits until the strikes are cleared.
  ///
  /// `tell` does not run where the event is not possible any more (a lock came in between): the verdict counts for nothing.
  fileprivate func settle(_ event: Lockout.Event, _ tell: () -> Void = {}) -> Result<Void, SystemError> {
    lockout.withLock { lockout in
      guard let next = lockout.after(event) else { return .success(()) }
      tell()
      let result = adopt(next, &lockout)
      // What could not be taken off the disk is not taken off in memory either.
      if case .failure = result, let kept = lockout.after(.miss) { lockout = kept }
      return result
    }
  }

  /// A passcode was verified, or root resets: clears strikes and lock.
  func clear() -> Result<Void, SystemError> {
    lockout.withLock { lockout in
      lockout = read(over: lockout)
      guard let cleared = lockout.after(.clear), cleared != lockout else { return .success(()) }
      return adopt(cleared, &lockout)
    }
  }

  private func adopt(_ next: Lockout, _ lockout: inout Lockout) -> Result<Void, SystemError> {
    if let strikes = next.durable, strikes != lockout.durable {
      do throws(SystemError) {
        try store.value.write(strikes: strikes, of: uid)
      } catch {
        return .failure(error)
      }
    }
    lockout = next
    return .success(())
  }
}

/// A strike that is charged, and durable, for a scan whose verdict is not known yet. Dropped on whatever path, it stays.
struct ChargedStrike: ~Copyable {
  private let account: Account
  private var isSettled = false

  fileprivate init(account: Account) { self.account = account }

  deinit {
    // Nothing is written: the charge is on disk already.
    if !isSettled { _ = account.settle(.miss) }
  }

  /// The scan matched: runs `tell` and then clears all strikes; see `Account.settle`.
  consuming func match(_ tell: () -> Void) -> Result<Void, SystemError> {
    isSettled = true
    return account.settle(.match, tell)
  }

  /// No finger decided anything.
  consuming func giveBack() -> Result<Void, SystemError> {
    isSettled = true
    return account.settle(.giveBack)
  }

  /// The scan did not match: the strike stays.
  consuming func keep() {}
}

/// The store as something that several objects may hold.
final class SharedStore: Sendable {
  let value: AccountStore

  init(_ value: consuming AccountStore) { self.value = value }
}

/// The accounts that are in memory: one object a uid, so that all connections count on the same one.
final class Accounts: Sendable {
  let store: SharedStore
  private let limits: LockoutLimits
  private let known = Mutex<[UInt32: Account]>([:])

  init(store: SharedStore, limits: LockoutLimits) {
    self.store = store
    self.limits = limits
  }

  subscript(uid: UInt32) -> Account {
    known.withLock { known in
      if let account = known[uid] { return account }
      let account = Account(uid: uid, store: store, limits: limits)
      known[uid] = account
      return account
    }
  }
}
