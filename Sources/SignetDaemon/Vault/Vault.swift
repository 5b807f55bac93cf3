// Vault is signetd's side of SignetVault: where opened user keys are (`UserKeys`), when they come and go (`Vault`), and what is
// asked of them: by the command line (`VaultRequests`), by a login (`LoginSecret`), and by a changed passcode.
import DaemonAccounts
import DaemonService
import SignetFiles
import SignetMemory
import SignetVault
import SignetVocabulary
import Synchronization

/// The vaults of all users: when their keys come into memory and when they go.
///
/// A key comes by a passcode that was verified, and only so. It goes with five strikes, with `signet lock`, with the last
/// session, and with a stop of signetd.
final class Vault: Sendable {
  let keys: UserKeys
  let openings = PendingOpenings()
  let store: SharedStore
  private let sessions: SessionRegistry
  private let closesWithSession: Bool
  /// One writer a user at a time: the files refuse a second one, and here it waits.
  private let turns = Mutex<[UInt32: Turn]>([:])
  /// scrypt takes 128 MiB; one at a time, however many log in.
  private let scrypt = Mutex(())
  private let otherPasscode = Mutex<Set<UInt32>>([])

  final class Turn: Sendable {
    let lock = Mutex(())
  }

  init(keys: UserKeys, store: SharedStore, sessions: SessionRegistry, closesWithSession: Bool) {
    self.keys = keys
    self.store = store
    self.sessions = sessions
    self.closesWithSession = closesWithSession
  }

  /// What a verified passcode did.
  enum Opening: Equatable {
    /// There is no vault, and none is wanted.
    case none
    case opened, created
    /// The passcode is a new one; it opens the vault from now on.
    case rewrapped
    /// It was erased again while it was opened.
    case overtaken
    /// The vault stays closed; nothing was changed.
    case failed(VaultError)
  }

  /// Opens a user's vault with a passcode that was verified, or makes it. Runs scrypt: a third of a second, twice that where
  /// the passcode was changed.
  func open(_ passcode: borrowing SecretBytes, of user: User, _ ticket: UserKeys.Ticket, creates: Bool) -> Opening {
    opening(user, creates: creates) { vault throws(VaultError) in
      do throws(VaultError) {
        return hold(try vault.openKey(passcode: passcode.span), of: user, ticket, .opened)
      } catch {
        switch error.cause {
        case .noKey where creates:
          return hold(try vault.createKey(passcode: passcode.span), of: user, ticket, .created)
        // Fingers were enrolled and are gone; a set was left.
        case .noKey: return .none
        case .wrongPasscode where keys.isHeld(user.uid): return try rewrap(vault, passcode, user)
        default: throw error
        }
      }
    }
  }

  /// Wraps the user key for a new passcode that was verified, by the key where it is in memory, else by the old passcode.
  func change(
    to passcode: borrowing SecretBytes, from old: Span<UInt8>, of user: User, _ ticket: UserKeys.Ticket
  ) -> Opening {
    opening(user, creates: false) { vault throws(VaultError) in
      if keys.isHeld(user.uid) { return try rewrap(vault, passcode, user) }
      do throws(VaultError) {
        let key = try vault.openKey(passcode: old)
        try vault.rewrap(key, passcode: passcode.span)
        return hold(key, of: user, ticket, .rewrapped)
      } catch {
        guard error.cause == .wrongPasscode else { throw error }
        return hold(try vault.openKey(passcode: passcode.span), of: user, ticket, .opened)
      }
    }
  }

  private func opening(
    _ user: User, creates: Bool, _ body: (borrowing UserVault) throws(VaultError) -> Opening
  ) -> Opening {
    do throws(VaultError) {
      guard try hasVault(user) || creates else { return .none }
      let opening = try inTurn(user) { vault throws(VaultError) in
        try scrypt.withLock { _ throws(VaultError) in try body(vault) }
      }
      noteOtherPasscode(user.uid, false)
      return opening
    } catch {
      noteOtherPasscode(user.uid, error.cause == .wrongPasscode)
      return .failed(error)
    }
  }

  private func rewrap(
    _ vault: borrowing UserVault, _ passcode: borrowing SecretBytes, _ user: User
  ) throws(VaultError) -> Opening {
    try keys.lend(user.uid) { key throws(VaultError) in
      switch key {
      case .some(let key):
        try vault.rewrap(key, passcode: passcode.span)
        return .rewrapped
      case .none: return .overtaken
      }
    }
  }

  /// What the opening comes to with the key that it brought.
  private func hold(
    _ key: borrowing UserKey, of user: User, _ ticket: UserKeys.Ticket, _ opening: Opening
  ) -> Opening {
    keys.hold(key, of: user.uid, ticket, isOfSession: hasSession(user.uid)) ? opening : .overtaken
  }

  /// Whether the last verified passcode was not the one that opens the vault.
  func hasOtherPasscode(_ uid: UInt32) -> Bool { otherPasscode.withLock { $0.contains(uid) } }

  func noteOtherPasscode(_ uid: UInt32, _ isOther: Bool) {
    otherPasscode.withLock { uids in
      if isOther { uids.insert(uid) } else { uids.remove(uid) }
    }
  }

  func turn(_ uid: UInt32) -> Turn {
    turns.withLock { turns in
      if let turn = turns[uid] { return turn }
      let turn = Turn()
      turns[uid] = turn
      return turn
    }
  }

  // MARK: - the enrolled fingers

  /// Destroys what was bound to the fingers that are enrolled. To be called before they change.
  func renewFingerSet(of user: User) throws(VaultError) {
    guard try hasVault(user) else { return }
    try inTurn(user) { vault throws(VaultError) in try vault.renewFingerSet() }
  }

  /// The same without a successor, where it cannot be renewed; false where that fails, too.
  func destroyFingerSet(of user: User) -> Bool {
    (try? inTurn(user) { vault throws(VaultError) in try vault.destroyFingerSet() }) != nil
  }

  // MARK: - the end of a key

  /// Erases the keys of those whose last session has ended.
  func closeEnded() {
    guard closesWithSession else { return }
    for uid in keys.ofSessions where !hasSession(uid) { close(uid, "the last session ended") }
  }

  /// Erases a key.
  func close(_ uid: UInt32, _ why: String) { Vault.close(keys, uid, why) }

  static func close(_ keys: UserKeys, _ uid: UInt32, _ why: String) {
    if keys.erase(uid) { Log.write(.info, "vault closed: \(why)", [("uid", "\(uid)")]) }
  }

  /// Takes back a key that systemd kept, if the user may still have it without the passcode.
  func adopt(_ passed: consuming Descriptor, of uid: UInt32, isLocked: Bool) {
    let isAdopted = keys.adopt(passed, of: uid)
    let isWanted = !isLocked && (!closesWithSession || hasSession(uid))
    if isAdopted, isWanted { return Log.write(.info, "vault open: its key was kept", [("uid", "\(uid)")]) }
    keys.forget(uid)
    Log.write(.notice, "vault closed: its key was kept, but is of no use any more", [("uid", "\(uid)")])
  }

  func hasSession(_ uid: UInt32) -> Bool { !sessions.open(of: uid).isEmpty }
}
