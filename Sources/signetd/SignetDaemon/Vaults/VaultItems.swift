import DaemonService
import SignetFiles
import SignetMemory
import SignetVault
import SignetVocabulary
import SignetWire

/// The items of a user's vault. The caller has asked the user for the proof that an item demands; whether it is enough is
/// decided here once more, by the files and keys.
extension Vault {
  package func list(of user: User) throws(VaultError) -> ItemListing {
    try inTurn(user) { vault throws(VaultError) in try vault.list() }
  }

  /// Fails where nothing can be said about the enrolled fingers, because the file about them is at fault.
  package func checkFingerSet(of user: User) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in _ = try vault.fingerSet() }
  }

  /// Who stores a value, as far as the item remembers it.
  package enum Storing {
    /// A new item, by a program; empty where it is not known.
    case new(String)
    /// A new key that is in the TPM, by a program: the value is what the TPM is given to sign with it.
    case newInTPM(String)
    /// In the place of another. `admits`: a program that may read it from now on; empty for none.
    case replacing(admits: String)
  }

  /// Stores a value under an open vault's key.
  package func put(
    _ item: Item, value: borrowing SecretBytes, of user: User, _ storing: Storing
  ) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in
      try keys.lend(user.uid) { key throws(VaultError) in
        switch key {
        case .some(let key):
          switch storing {
          case .new(let program): try vault.add(item, value: value, creator: program, under: key, now: wallSeconds())
          case .newInTPM(let program):
            try vault.add(item, value: value, creator: program, isInTPM: true, under: key, now: wallSeconds())
          case .replacing(let program):
            try vault.update(item, value: value, admitting: program, under: key, now: wallSeconds())
          }
        case .none: throw .locked
        }
      }
    }
  }

  /// Lets a program read an item from now on, which the owner was asked for.
  package func admit(_ program: String, to name: ItemName, of user: User) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in try vault.admit(program, to: name) }
  }

  /// Forgets which programs may read an item beside the one that stored it.
  package func revokePrograms(of name: ItemName, of user: User) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in try vault.revokePrograms(of: name) }
  }

  package func delete(_ name: ItemName, of user: User) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in try vault.delete(name) }
  }

  /// Looks an item up, so that it can be released when something is proved. A login waits for this, and another request of the
  /// user may be running scrypt: so it takes its turn only where a change at the same moment disturbed the reading.
  package func locate(_ name: ItemName, of user: User) throws(VaultError) -> ItemToRelease {
    let vault = try files(of: user, seals: false)
    do throws(VaultError) {
      return ItemToRelease(user: user, item: try vault.locate(name), vault: vault)
    } catch {
      guard error.cause == .missing || error.cause == .putBack else { throw error }
    }
    return try inTurn(user) { vault throws(VaultError) in
      ItemToRelease(user: user, item: try vault.locate(name), vault: try files(of: user, seals: false))
    }
  }

  /// Releases a value for what was proved. It takes its turn only where a change at the same moment disturbed the reading.
  package func read(_ item: ItemToRelease, proof: Proof) throws(VaultError) -> SecretBytes {
    do throws(VaultError) { return try open(item, proof) } catch {
      guard error.cause == .missing || error.cause == .putBack else { throw error }
      return try inTurn(item.user) { _ throws(VaultError) in try open(item, proof) }
    }
  }

  private func open(_ item: ItemToRelease, _ proof: Proof) throws(VaultError) -> SecretBytes {
    let isUnlocked = hasSession(item.user.uid)
    return try keys.lend(item.user.uid) { key throws(VaultError) in
      let state: KeyState = key == nil ? .locked : isUnlocked ? .unlocked : .afterFirstUnlock
      return try item.vault.read(item.item, proof: proof, state: state, userKey: key)
    }
  }

  /// Where the key is, for what an item's accessibility demands.
  package func state(of user: User) -> KeyState {
    guard keys.isHeld(user.uid) else { return .locked }
    return hasSession(user.uid) ? .unlocked : .afterFirstUnlock
  }

  /// Removes the items that were stored for as long as the user has a passcode: there is none any more.
  package func removeItemsOfPasscode(of user: User) {
    do throws(VaultError) {
      guard try hasVault(user) else { return }
      try inTurn(user) { vault throws(VaultError) in try vault.removeItems(.whenPasscodeSet) }
    } catch {
      Log.write(.error, "items for accounts with a passcode are still there: \(error.description)", [("user", user.name)])
    }
  }
}

/// An item that was looked up, and the files that it is in.
package final class ItemToRelease: Sendable {
  package let user: User
  package let item: LocatedItem
  package let vault: UserVault

  package init(user: User, item: LocatedItem, vault: consuming UserVault) {
    self.user = user
    self.item = item
    self.vault = vault
  }
}
