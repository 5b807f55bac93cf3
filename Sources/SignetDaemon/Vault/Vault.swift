import SignetFiles
import SignetMemory
import SignetVault
import SignetWire
import Synchronization

/// The vaults of all users: when their keys come into memory and when they go.
///
/// A key comes by a passcode that was verified, and only so. It goes with five strikes, with `signet lock`, with the last
/// session, and with a stop of signetd.
final class Vault: Sendable {
  let keys: UserKeys
  private let store: SharedStore
  private let sessions: SessionRegistry
  private let closesWithSession: Bool
  /// One writer a user at a time: the files refuse a second one, and here it waits.
  private let turns = Mutex<[UInt32: Turn]>([:])
  /// scrypt takes 128 MiB; one at a time, however many log in.
  private let scrypt = Mutex(())

  private final class Turn: Sendable {
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
    /// The passcode had been changed without the old one while the key was in memory; it opens the vault from now on.
    case rewrapped
    /// It was erased again while it was opened.
    case overtaken
    /// The vault stays closed; nothing was changed.
    case failed(VaultError.Cause, String)
  }

  /// Opens a user's vault with a passcode that was verified, or makes it. Runs scrypt: a third of a second, twice that where
  /// the passcode was changed.
  func open(_ passcode: borrowing SecretBytes, of user: User, _ ticket: UserKeys.Ticket, creates: Bool) -> Opening {
    turn(user.uid).lock.withLock { _ in
      scrypt.withLock { _ in
        do {
          return try openInTurn(passcode, user, ticket, creates: creates)
        } catch let error as VaultError {
          return .failed(error.cause, error.description)
        } catch {
          return .failed(.system, (error as? SystemError)?.description ?? "\(error)")
        }
      }
    }
  }

  private func openInTurn(
    _ passcode: borrowing SecretBytes, _ user: User, _ ticket: UserKeys.Ticket, creates: Bool
  ) throws -> Opening {
    let hasVault = try store.value.hasVault(of: user.uid)
    guard hasVault || creates else { return .none }
    let vault = try store.value.vault(of: user)
    do throws(VaultError) {
      return hold(try vault.openKey(passcode: passcode.span), of: user, ticket) ? .opened : .overtaken
    } catch {
      switch error.cause {
      case .noKey where creates:
        return hold(try vault.createKey(passcode: passcode.span), of: user, ticket) ? .created : .overtaken
      // Fingers were enrolled and are gone; a set was left.
      case .noKey: return .none
      case .wrongPasscode where keys.isHeld(user.uid): return try rewrap(vault, passcode, user)
      default: throw error
      }
    }
  }

  private func rewrap(_ vault: borrowing UserVault, _ passcode: borrowing SecretBytes, _ user: User) throws -> Opening {
    try keys.lend(user.uid) { key throws(VaultError) in
      switch key {
      case .some(let key):
        try vault.rewrap(key, passcode: passcode.span)
        return .rewrapped
      case .none: return .overtaken
      }
    }
  }

  private func hold(_ key: borrowing UserKey, of user: User, _ ticket: UserKeys.Ticket) -> Bool {
    keys.hold(key, of: user.uid, ticket, isOfSession: hasSession(user.uid))
  }

  private func turn(_ uid: UInt32) -> Turn {
    turns.withLock { turns in
      if let turn = turns[uid] { return turn }
      let turn = Turn()
      turns[uid] = turn
      return turn
    }
  }

  // MARK: - the enrolled fingers

  /// Destroys what was bound to the fingers that are enrolled. To be called before they change.
  func renewFingerSet(of user: User) throws(Problem) {
    let problem: Problem? = turn(user.uid).lock.withLock { _ in
      do {
        guard try store.value.hasVault(of: user.uid) else { return nil }
        try store.value.vault(of: user).renewFingerSet()
        return nil
      } catch {
        let why = (error as? VaultError)?.description ?? (error as? SystemError)?.description ?? "\(error)"
        return Problem(refusal: .stateUnusable, explanation: why)
      }
    }
    if let problem { throw problem }
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

  private func hasSession(_ uid: UInt32) -> Bool { !sessions.open(of: uid).isEmpty }
}
