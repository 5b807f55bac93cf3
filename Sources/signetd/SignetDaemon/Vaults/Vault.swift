// DaemonVaults is signetd's side of SignetVault: it holds the opened user keys (`UserKeys`), decides when they come
// (`VaultUnlocking`) and go (`Vault`), and uses them for items and the login secret.
import DaemonAccounts
import DaemonService
import SignetFiles
import SignetMemory
import SignetVault
import SignetVocabulary
import Synchronization

/// The vaults of all users: when their keys come into memory and when they go.
///
/// Only a verified passcode brings a key into memory, or, where signet.conf wants that, the first finger after a restart
/// (`DeviceSlots`). Five strikes, `signet lock`, the end of the last session and a stop of
/// signetd erase it.
package final class Vault: Sendable {
  package let keys: UserKeys
  let openings: PendingOpenings
  let store: SharedStore
  private let sessions: SessionRegistry
  private let closesWithSession: Bool
  /// What a guess at a passcode costs that is used from now on.
  let cost: ScryptCost
  /// What signet.conf says of the first finger after a restart: `ready`, `off` or `timed`.
  let afterRestart: FingerAfterRestart
  private let isLoggedIn: @Sendable (UInt32) -> Bool?
  /// One writer at a time for each user, and what its readers keep. The files would refuse a second writer; here it waits.
  private let turns = Mutex<[UInt32: Turn]>([:])
  let whenScryptRuns: @Sendable (UInt32) -> Void
  let otherPasscode = Mutex<Set<UInt32>>([])

  final class Turn: Sendable {
    let lock = Mutex(())
    let cache = VaultCache()
    /// scrypt takes much memory and all of a processor: one at a time for each user, so that whoever opens their vault over and over
    /// holds up nobody but themselves. Only who needs scrypt waits for this.
    let scrypt = Mutex(())
  }

  /// - Parameters:
  ///   - isLoggedIn: logind's word; `nil` without one.
  ///   - whenOpening: called when a vault is about to be opened.
  ///   - whenScryptRuns: for tests, called before each scrypt of a user; it takes as long as the call does.
  package init(
    keys: UserKeys, store: SharedStore, sessions: SessionRegistry, closesWithSession: Bool, cost: ScryptCost,
    afterRestart: FingerAfterRestart = .off,
    isLoggedIn: @escaping @Sendable (UInt32) -> Bool? = LoginSessions.isLoggedIn,
    whenOpening: @escaping @Sendable () -> Void = {}, whenScryptRuns: @escaping @Sendable (UInt32) -> Void = { _ in }
  ) {
    self.isLoggedIn = isLoggedIn
    self.whenScryptRuns = whenScryptRuns
    openings = PendingOpenings(whenBegun: whenOpening)
    self.keys = keys
    self.store = store
    self.sessions = sessions
    self.closesWithSession = closesWithSession
    self.cost = cost
    self.afterRestart = afterRestart
  }

  /// Whether the last verified passcode was not the one that opens the vault.
  package func hasOtherPasscode(_ uid: UInt32) -> Bool { otherPasscode.withLock { $0.contains(uid) } }

  func noteOtherPasscode(_ uid: UInt32, _ isOther: Bool) {
    otherPasscode.withLock { uids in
      if isOther { uids.insert(uid) } else { uids.remove(uid) }
    }
  }

  func files(of user: User, seals: Bool = true) throws(VaultError) -> UserVault {
    let cache = turn(user.uid).cache
    do throws(SystemError) { return try store.value.vault(of: user, cache: cache, seals: seals) } catch {
      throw VaultError(error)
    }
  }

  /// One at a time for a user.
  func inTurn<Value: ~Copyable>(
    _ user: User, _ body: (borrowing UserVault) throws(VaultError) -> sending Value
  ) throws(VaultError) -> sending Value {
    try turn(user.uid).lock.withLock { _ throws(VaultError) in
      try body(try files(of: user))
    }
  }

  /// Whether the user has anything of a vault.
  package func hasVault(_ user: User) throws(VaultError) -> Bool {
    do throws(SystemError) { return try store.value.hasVault(of: user.uid) } catch { throw VaultError(error) }
  }

  func turn(_ uid: UInt32) -> Turn {
    turns.withLock { turns in
      if let turn = turns[uid] { return turn }
      let turn = Turn()
      turns[uid] = turn
      return turn
    }
  }

  // MARK: - keys in memory

  /// Whether the user's vault is open.
  package func isOpen(_ uid: UInt32) -> Bool { keys.isHeld(uid) }

  /// Whether a verified passcode is about to open it.
  package func isOpening(_ uid: UInt32) -> Bool { openings.isOpening(uid) }

  /// Those who wait for such an opening to end.
  package var openingEnds: WaitingList { openings.ends }

  /// Notes that a session of the user is open: the vault closes when the last one ends.
  package func joinSession(_ uid: UInt32) { keys.joinSession(uid) }

  /// Notes whose session began, and erases the keys of those whose last one has ended. To be called when sessions change.
  package func closeEnded() {
    guard closesWithSession else { return }
    for uid in keys.held + openings.uids where isLoggedIn(uid) == true { keys.joinSession(uid) }
    for uid in keys.ofSessions where !hasSession(uid) { close(uid, "the last session ended") }
  }

  /// Whether a session that ends would close a vault, so that logind is to be listened to.
  package var followsSessions: Bool { closesWithSession && !(keys.held.isEmpty && openings.uids.isEmpty) }

  /// Erases a key.
  func close(_ uid: UInt32, _ why: String) { Vault.close(keys, uid, why) }

  package static func close(_ keys: UserKeys, _ uid: UInt32, _ why: String) {
    if keys.erase(uid) { Log.write(.info, "vault closed: \(why)", [("uid", "\(uid)")]) }
  }

  /// Takes back a key that systemd kept, if the user may still have it without the passcode.
  package func adopt(_ passed: consuming Descriptor, of uid: UInt32, isLocked: Bool) {
    let isAdopted = keys.adopt(passed, of: uid)
    let isWanted = !isLocked && (!closesWithSession || hasSession(uid))
    if isAdopted, isWanted { return Log.write(.info, "vault open: its key was kept", [("uid", "\(uid)")]) }
    keys.forget(uid)
    Log.write(.notice, "vault closed: its key was kept, but is of no use any more", [("uid", "\(uid)")])
  }

  /// Whether somebody is logged in as the user: a session is what logind says it is, however it began. `su` begins none there
  /// but has a token, which counts while a process of it is left. Without logind tokens are all there is.
  func hasSession(_ uid: UInt32) -> Bool {
    guard let isLoggedIn = isLoggedIn(uid) else { return !sessions.open(of: uid).isEmpty }
    return isLoggedIn || sessions.hasLiving(uid)
  }
}
