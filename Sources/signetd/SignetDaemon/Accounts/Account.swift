// DaemonAccounts is signetd's state: each user's lockout, enrolled fingers and sealed templates, and the open sessions.
import DaemonService
import SignetAuthentication
import SignetFiles
import SignetVocabulary
import Synchronization

/// The lockout of one user, in memory and on disk. Its lock is held while a change is made durable, so that between
/// charging a strike and adopting it nothing else touches the account.
package final class Account: Sendable {
  package let uid: UInt32
  private let store: SharedStore
  private let clock: MomentClock
  private let state: Mutex<State>
  private let turn = Mutex<Finger?>(nil)
  /// Called after strikes or a request have locked the user.
  private let whenLocked: @Sendable (LockReason) -> Void
  /// Called after each change of the lockout, with the account's lock held: it must not ask the account. To be called after a change of
  /// the fingers, too.
  package let whenChanged: @Sendable () -> Void

  private struct State {
    var lockout: Lockout
    /// Of what was last written.
    var sequence: UInt64 = 0
  }

  /// What a user may do now, and why not more.
  package struct LockoutStatus: Equatable {
    package var strikes: Int
    package var lock: LockReason
    /// Where the state is unusable: which file, and why.
    package var fault: SystemError?
    /// Whether nothing was unlocked since the machine was started, and what locks even a finger that opens the vault then.
    package var isFirstUse: Bool
    package var lockOfFirstUse: LockReason
  }

  package enum ChargeRefusal: Error {
    case locked(LockReason)
    /// Another scan of this user is undecided.
    case busy
    case notDurable(SystemError)
  }

  package init(
    uid: UInt32, store: SharedStore, limits: LockoutLimits, rules: PasscodeRules, clock: @escaping MomentClock,
    whenLocked: @escaping @Sendable (LockReason) -> Void = { _ in }, whenChanged: @escaping @Sendable () -> Void = {}
  ) {
    self.uid = uid
    self.whenLocked = whenLocked
    self.whenChanged = whenChanged
    self.store = store
    self.clock = clock
    state = Mutex(State(lockout: .unusable(LockoutRecord(), limits: limits, rules: rules)))
  }

  /// Brings memory in line with the disk; the reason where the disk cannot be believed. (`refresh` in charging.pml.)
  private func refresh(_ state: inout State) -> SystemError? {
    if let fault = reread(&state) { return fault }
    guard let fault = store.value.pinFault(of: uid, sequence: state.sequence) else { return nil }
    state.lockout.becomeUnusable()
    return fault
  }

  /// A count goes down only if this signetd wrote the lower one. A file that is missing, torn or an older copy locks.
  private func reread(_ state: inout State) -> SystemError? {
    switch store.value.lockout(of: uid) {
    case .found(LockoutFile(sequence: state.sequence, record: state.lockout.durable)) where state.lockout.isUsable: return nil
    case .found(let file) where file.sequence >= state.sequence:
      state.lockout.reload(file.record)
      state.sequence = file.sequence
      return nil
    case .found:
      state.lockout.becomeUnusable()
      return .strikesOlder(store.value.strikesPath(of: uid))
    case .missing(let path, let known):
      become(unusable: &state, knowing: known)
      return .strikesMissing(path)
    case .unusable(let fault, let known):
      become(unusable: &state, knowing: known)
      return fault
    }
  }

  private func become(unusable state: inout State, knowing known: LockoutFile?) {
    if let known, known.sequence > state.sequence {
      state.lockout.reload(known.record)
      state.sequence = known.sequence
    }
    state.lockout.becomeUnusable()
  }

  /// Goes on above all numbers that a file of before can have, where an older copy is accepted: none of those is to pass for newer.
  private func leap(_ state: inout State) {
    guard store.value.pinFault(of: uid, sequence: state.sequence) != nil else { return }
    state.sequence = max(state.sequence, store.value.rollbackGuard.sequence(of: uid)) + 1 << 20
  }

  package var status: LockoutStatus {
    store.value.rollbackGuard.waitUntilDecided()
    return state.withLock { status(&$0, at: clock()) }
  }

  private func status(_ state: inout State, at now: Moment) -> LockoutStatus {
    let fault = refresh(&state)
    let lockout = state.lockout
    return LockoutStatus(
      strikes: lockout.durable.strikes, lock: lockout.lock(at: now), fault: fault, isFirstUse: lockout.isFirstUse(at: now),
      lockOfFirstUse: lockout.lock(at: now, liftingRestart: true))
  }

  /// The wrong passcodes of one source, and how long the next one from there has to wait.
  package func passcodes(from source: PasscodeSource) -> PasscodeStatus {
    state.withLock { state in
      _ = refresh(&state)
      return state.lockout.passcodes(from: source, at: clock())
    }
  }

  /// How many seconds the next passcode from a source has to wait, from memory.
  package func passcodeDelay(from source: PasscodeSource) -> UInt64 {
    state.withLock { $0.lockout.passcodes(from: source, at: clock()).delay }
  }

  /// Why only the passcode will do, from memory and without reading the disk: asked between two scans.
  package var lock: LockReason { lock(liftingRestart: false) }

  /// The same for a finger that may open the vault after a restart.
  package func lock(liftingRestart: Bool) -> LockReason {
    state.withLock { $0.lockout.lock(at: clock(), liftingRestart: liftingRestart) }
  }

  /// In how many seconds time alone locks; see `Lockout.secondsToLock`. From memory.
  package var secondsToLock: UInt64? { state.withLock { $0.lockout.secondsToLock(at: clock()) } }

  /// Poor scans since the last verdict.
  package var poorScans: Int { state.withLock { $0.lockout.poorScans } }

  /// Which finger is asked for next by its name, as the last miss or match left it; in memory only. It decides nothing else.
  package var nextFinger: Finger? {
    get { turn.withLock { $0 } }
    set { turn.withLock { $0 = newValue } }
  }

  /// How many misses are left until the lock.
  package var missesLeft: Int { state.withLock { $0.lockout.missesLeft } }

  /// Charges one strike durably, for one scan. `liftingRestart`: its match opens the vault, as the passcode would. (`scan` in
  /// charging.pml.)
  package func charge(liftingRestart: Bool = false) throws(ChargeRefusal) -> ChargedStrike {
    guard store.value.rollbackGuard.mayScan(uid) else { throw .locked(.stateUnusable) }
    let result: Result<Void, ChargeRefusal> = state.withLock { state in
      _ = refresh(&state)
      let now = clock()
      let lock = state.lockout.lock(at: now, liftingRestart: liftingRestart)
      guard lock == .none else { return .failure(.locked(lock)) }
      guard let charged = state.lockout.after(.charge, at: now, liftingRestart: liftingRestart) else { return .failure(.busy) }
      return adopt(charged, &state).mapError { .notDurable($0) }
    }
    try result.get()
    return ChargedStrike(account: self, liftsRestart: liftingRestart)
  }

  /// Ends a charged scan with `event`, and runs `tell` before the change is made durable, both under the account's lock:
  /// a user is told of a match before the disk is waited for, and the next login waits until the strikes are cleared.
  ///
  /// `tell` does not run where the event is not possible any more (a lock came in between): the verdict counts for nothing,
  /// and the strike stays. (`given`, `kept` and `matched` in charging.pml.)
  fileprivate func settle(
    _ event: Lockout.Event, liftingRestart: Bool = false, _ tell: () -> Void = {}
  ) -> Result<Void, SystemError> {
    defer { if lock == .strikes { whenLocked(.strikes) } }
    return state.withLock { state in
      let now = clock()
      var result = Result<Void, SystemError>.success(())
      if let next = state.lockout.after(event, at: now, liftingRestart: liftingRestart) {
        tell()
        // A strike that stays has nothing to write: its charge is on disk.
        let isKept = next.durable.strikes >= state.lockout.durable.strikes
        result = adopt(next, &state)
        if case .success = result, !isKept { return result }
      }
      store.value.rollbackGuard.pin(uid, sequence: state.sequence)
      // What could not be taken off the disk is not taken off in memory either.
      if let kept = state.lockout.after(.miss, at: now) {
        state.lockout = kept
        whenChanged()
      }
      return result
    }
  }

  /// Why a passcode is not looked at.
  package enum PasscodeRefusal: Error {
    /// Too many from its source were wrong; seconds until the next.
    case delayed(UInt64)
    /// Another one of its lane is being checked.
    case busy
  }

  /// Charges a passcode that is about to be checked to where it comes from. Where the disk takes nothing it counts in memory: the passcode is the
  /// way out of every lock, and must not depend on a full disk.
  ///
  /// - Parameter turn: its turn in its lane, which ends when the passcode is settled.
  package func chargePasscode(
    from source: PasscodeSource, during turn: AnyObject
  ) throws(PasscodeRefusal) -> ChargedPasscode {
    store.value.rollbackGuard.waitUntilDecided()
    let result: Result<(LockoutStatus, Int), PasscodeRefusal> = state.withLock { state in
      let now = clock()
      let before = status(&state, at: now)
      let passcodes = state.lockout.passcodes(from: source, at: now)
      guard passcodes.delay == 0 else { return .failure(.delayed(passcodes.delay)) }
      guard let charged = state.lockout.after(.passcodeCharge(source), at: now) else { return .failure(.busy) }
      adoptAnyway(charged, &state)
      return .success((before, passcodes.wrong + 1))
    }
    let (before, number) = try result.get()
    return ChargedPasscode(account: self, source: source, before: before, number: number, turn: turn)
  }

  /// False where the check does not count any more. Otherwise `tell` runs before the change is made durable, as in `settle`.
  fileprivate func settlePasscode(_ event: Lockout.Event, _ tell: () -> Void = {}) -> Bool {
    state.withLock { state in
      guard let next = state.lockout.after(event, at: clock()) else { return false }
      tell()
      if case .passcodeVerified = event { leap(&state) }
      adoptAnyway(next, &state)
      switch event {
      case .passcodeVerified: store.value.rollbackGuard.accept(uid, sequence: state.sequence)
      case .passcodeWrong(let source) where next.passcodes(from: source, at: clock()).delay > 0:
        store.value.rollbackGuard.pin(uid, sequence: state.sequence)
      default: break
      }
      return true
    }
  }

  /// Requires the passcode from now on; in memory also where the disk takes nothing.
  package func requirePasscode() -> Result<Void, SystemError> {
    defer { whenLocked(.requested) }
    return state.withLock { state in
      _ = refresh(&state)
      guard let next = state.lockout.after(.lock, at: clock()) else { return .success(()) }
      defer { store.value.rollbackGuard.pin(uid, sequence: state.sequence) }
      return adoptAnyway(next, &state)
    }
  }

  /// Root clears strikes, locks and delays; also for the first record of a user.
  package func reset() -> Result<Void, SystemError> {
    state.withLock { state in
      _ = refresh(&state)
      guard let next = state.lockout.after(.reset, at: clock()) else { return .success(()) }
      leap(&state)
      let result = adopt(next, &state)
      if case .success = result { store.value.rollbackGuard.accept(uid, sequence: state.sequence) }
      return result
    }
  }

  private func adopt(_ next: Lockout, _ state: inout State) -> Result<Void, SystemError> {
    if next.durable != state.lockout.durable || next.isUsable != state.lockout.isUsable {
      do throws(SystemError) {
        try store.value.write(LockoutFile(sequence: state.sequence + 1, record: next.durable), of: uid)
      } catch {
        return .failure(error)
      }
      state.sequence += 1
    }
    if next != state.lockout {
      state.lockout = next
      whenChanged()
    }
    return .success(())
  }

  @discardableResult
  private func adoptAnyway(_ next: Lockout, _ state: inout State) -> Result<Void, SystemError> {
    let result = adopt(next, &state)
    guard case .failure(let error) = result else { return result }
    Log.write(.error, "uid \(uid) is kept in memory only: \(error.description)")
    state.lockout = next
    whenChanged()
    state.sequence += 1
    do { try store.value.writeVolatile(LockoutFile(sequence: state.sequence, record: next.durable), of: uid) } catch {
      Log.write(.error, error.description)
    }
    return result
  }
}

/// A strike that is charged and durable, for a scan whose verdict is not known yet. If the value is dropped, the strike stays.
package struct ChargedStrike: ~Copyable {
  private let account: Account
  private let liftsRestart: Bool
  private var isSettled = false

  fileprivate init(account: Account, liftsRestart: Bool) {
    self.account = account
    self.liftsRestart = liftsRestart
  }

  deinit {
    // Nothing is written: the charge is on disk already.
    if !isSettled { _ = account.settle(.miss) }
  }

  /// The scan matched: runs `tell` and then clears all strikes; see `Account.settle`.
  package consuming func match(_ tell: () -> Void) -> Result<Void, SystemError> {
    isSettled = true
    return account.settle(.match, liftingRestart: liftsRestart, tell)
  }

  /// No finger decided anything. So many poor scans have added up. `isUnseen`: the reader would not have told of a finger.
  package consuming func giveBack(poorScans: Int, isUnseen: Bool = false) -> Result<Void, SystemError> {
    isSettled = true
    return account.settle(isUnseen ? .cancelUnseen(poorScans: poorScans) : .giveBack(poorScans: poorScans))
  }

  /// The scan did not match: the strike stays.
  package consuming func keep() {}
}

/// A passcode that counts as wrong until its check says otherwise. If the value is dropped, it stays wrong.
///
/// It has its turn with it, which so ends after it was settled and not before: the next one in the lane would be refused, because two
/// are never charged at once.
package struct ChargedPasscode: ~Copyable {
  private let account: Account
  private let source: PasscodeSource
  /// The account before the charge.
  package let before: Account.LockoutStatus
  /// How many wrong ones in a row from its source there are with it, if it is wrong.
  package let number: Int
  private let turn: AnyObject
  private var isSettled = false

  fileprivate init(
    account: Account, source: PasscodeSource, before: Account.LockoutStatus, number: Int, turn: AnyObject
  ) {
    self.turn = turn
    self.account = account
    self.source = source
    self.before = before
    self.number = number
  }

  deinit { if !isSettled { _ = account.settlePasscode(.passcodeWrong(source)) } }

  /// It is right: runs `tell` and then clears strikes, locks and delays. False, and nothing was told, where the check does not count
  /// any more.
  package consuming func verified(_ tell: () -> Void) -> Bool {
    isSettled = true
    return account.settlePasscode(.passcodeVerified(source), tell)
  }

  /// Nothing could be decided.
  package consuming func giveBack() {
    isSettled = true
    _ = account.settlePasscode(.passcodeUndecided(source))
  }

  /// It is wrong.
  package consuming func keep() {}
}
