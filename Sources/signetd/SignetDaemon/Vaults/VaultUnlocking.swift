import DaemonPasscodes
import DaemonService
import SignetMemory
import SignetVault
import SignetVocabulary

/// How a verified passcode brings a user's key into memory.
extension Vault {
  /// What a verified passcode did.
  package enum Opening: Equatable {
    /// There is no vault, and none is wanted.
    case none
    case opened, created
    /// The passcode is a new one; it opens the vault from now on.
    case rewrapped
    /// It was erased again while it was opened.
    case overtaken
    /// The vault stays closed; nothing was changed.
    case failed(VaultError)

    /// Whether the passcode opens the vault now, if there is one.
    var isOpen: Bool {
      switch self {
      case .none, .opened, .created, .rewrapped: true
      case .overtaken, .failed: false
      }
    }
  }

  /// What became of a vault, and of the login secret in it.
  package struct Opened: Sendable {
    package let opening: Opening
    package let hasStoredLoginSecret: Bool
  }

  /// Announces that a right passcode is about to open the vault. Call it before the passcode is settled: a lock that comes
  /// later then keeps the vault closed.
  package func beginOpening(_ uid: UInt32) -> PendingOpening { openings.begin(uid, keys.ticket(uid)) }

  /// Opens the vault of the passcode's user, or makes it where `creates` says so. Runs scrypt, which takes a third of a second,
  /// and twice that where the passcode was changed. `keepsLoginSecret`: whether to store the passcode as the login secret.
  package func open(
    _ passcode: consuming VerifiedPasscode, _ pending: PendingOpening, creates: Bool, keepsLoginSecret: Bool
  ) -> Opened {
    let user = passcode.user
    tendDeviceKey(passcode.bytes, of: user, keepsSecrets: creates || (try? hasVault(user)) == true)
    let opening = opening(user, creates: creates) { () throws(VaultError) in
      do throws(VaultError) {
        return try unwrap(passcode.bytes, user, pending)
      } catch {
        switch error.cause {
        case .noKey where creates: return try create(passcode.bytes, user, pending)
        // Fingers were enrolled once and deleted. Their set is still there, but no key was ever made.
        case .noKey: return .none
        case .wrongPasscode where keys.isHeld(user.uid): return try rewrap(passcode.bytes, user)
        default: throw error
        }
      }
    }
    settleDeviceSlot(of: user, opening)
    renewRecovery(passcode.bytes, of: user, opening)
    return Opened(
      opening: opening, hasStoredLoginSecret: keepsLoginSecret && keepLoginSecret(passcode.bytes, of: user))
  }

  /// Wraps the user key for a new, verified passcode. The key comes from memory, or else the old passcode unwraps it.
  /// `renewsLoginSecret`: whether to replace a login secret that is in use by the new passcode.
  package func change(
    to passcode: consuming VerifiedPasscode, from old: borrowing TypedPasscode, _ pending: PendingOpening,
    renewsLoginSecret: Bool
  ) -> Opened {
    let user = passcode.user
    tendDeviceKey(passcode.bytes, of: user, keepsSecrets: (try? hasVault(user)) == true)
    let opening = opening(user, creates: false) { () throws(VaultError) in
      if keys.isHeld(user.uid) { return try rewrap(passcode.bytes, user) }
      do throws(VaultError) {
        return try rewrap(from: old.bytes, to: passcode.bytes, user, pending)
      } catch {
        guard error.cause == .wrongPasscode else { throw error }
        return try unwrap(passcode.bytes, user, pending)
      }
    }
    settleDeviceSlot(of: user, opening)
    renewRecovery(passcode.bytes, of: user, opening)
    // The keyring's own module sets its password to the new passcode at this moment, too.
    var hasStored = false
    if renewsLoginSecret, opening.isOpen, case .releasable = loginSecret(of: user) {
      hasStored = keepLoginSecret(passcode.bytes, of: user)
    }
    return Opened(opening: opening, hasStoredLoginSecret: hasStored)
  }

  /// A passcode that does not open the vault is another one than that of the slot: then no finger opens it either.
  private func settleDeviceSlot(of user: User, _ opening: Opening) {
    if opening.isOpen { renewDeviceSlot(of: user) } else { destroyDeviceSlot(of: user.uid) }
  }

  private func opening(
    _ user: User, creates: Bool, _ body: () throws(VaultError) -> Opening
  ) -> Opening {
    do throws(VaultError) {
      guard try hasVault(user) || creates else { return .none }
      let opening = try body()
      noteOtherPasscode(user.uid, false)
      return opening
    } catch {
      noteOtherPasscode(user.uid, error.cause == .wrongPasscode)
      return .failed(error)
    }
  }
}

// MARK: - scrypt

/// Each step in two parts: scrypt, which takes long and for which no lock is held but the one that has only one of the user's run at
/// a time; and what needs the user's turn, which is short. So whoever asks for something else does not wait for scrypt.
extension Vault {
  func derive(_ passcode: borrowing SecretBytes, _ salt: ScryptSalt, of user: User) throws(VaultError) -> PasscodeKey {
    try turn(user.uid).scrypt.withLock { _ throws(VaultError) in
      whenScryptRuns(user.uid)
      return try PasscodeKey(passcode.span, salt)
    }
  }

  /// The same for a key that is wrapped from now on.
  func deriveNew(_ passcode: borrowing SecretBytes, of user: User) throws(VaultError) -> PasscodeKey {
    try derive(passcode, try ScryptSalt(randomFor: cost), of: user)
  }

  /// Opens the key. A slot that was replaced meanwhile is tried once more: whoever replaced it had to run scrypt, too, so this
  /// comes to an end.
  private func unwrap(
    _ passcode: borrowing SecretBytes, _ user: User, _ pending: PendingOpening
  ) throws(VaultError) -> Opening {
    while true {
      let salt = try inTurn(user) { vault throws(VaultError) in try vault.salt() }
      guard passcode.count > 0 else { throw .wrongPasscode }
      let derived = try derive(passcode, salt, of: user)
      let opening = try inTurn(user) { vault throws(VaultError) -> Opening? in
        guard let key = try vault.openKey(derived) else { return nil }
        return hold(key, of: user, pending.ticket, .opened)
      }
      if let opening { return opening }
    }
  }

  private func create(
    _ passcode: borrowing SecretBytes, _ user: User, _ pending: PendingOpening
  ) throws(VaultError) -> Opening {
    let derived = try deriveNew(passcode, of: user)
    do throws(VaultError) {
      return try inTurn(user) { vault throws(VaultError) in
        hold(try vault.createKey(derived), of: user, pending.ticket, .created)
      }
    } catch {
      // Another request of the user was faster.
      guard error.cause == .keyExists else { throw error }
      return try unwrap(passcode, user, pending)
    }
  }

  /// Wraps the key that is in memory.
  private func rewrap(_ passcode: borrowing SecretBytes, _ user: User) throws(VaultError) -> Opening {
    let derived = try deriveNew(passcode, of: user)
    return try inTurn(user) { vault throws(VaultError) in
      try keys.lend(user.uid) { key throws(VaultError) in
        switch key {
        case .some(let key):
          try vault.rewrap(key, under: derived)
          return .rewrapped
        case .none: return .overtaken
        }
      }
    }
  }

  /// Opens the key with one passcode and wraps it for another, in one turn: what is wrapped is the key that is on disk then.
  private func rewrap(
    from old: borrowing SecretBytes, to passcode: borrowing SecretBytes, _ user: User, _ pending: PendingOpening
  ) throws(VaultError) -> Opening {
    while true {
      let salt = try inTurn(user) { vault throws(VaultError) in try vault.salt() }
      guard old.count > 0 else { throw .wrongPasscode }
      let derived = try derive(old, salt, of: user)
      let next = try deriveNew(passcode, of: user)
      let opening = try inTurn(user) { vault throws(VaultError) -> Opening? in
        guard let key = try vault.openKey(derived) else { return nil }
        try vault.rewrap(key, under: next)
        return hold(key, of: user, pending.ticket, .rewrapped)
      }
      if let opening { return opening }
    }
  }

  /// Holds the key. Answers with `opening`, or with `overtaken` where a lock erased the key while scrypt ran.
  private func hold(
    _ key: borrowing UserKey, of user: User, _ ticket: UserKeys.Ticket, _ opening: Opening
  ) -> Opening {
    keys.hold(key, of: user.uid, ticket, isOfSession: hasSession(user.uid)) ? opening : .overtaken
  }
}
