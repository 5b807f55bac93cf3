import DaemonService
import SignetFiles
import SignetMemory
import SignetVault
import SignetVocabulary
import SignetWire

/// The items of a user's vault. Whoever calls has asked for what an item demands; the files and keys decide once more.
extension Vault {
  func list(of user: User) throws(VaultError) -> ItemListing {
    try inTurn(user) { vault throws(VaultError) in try vault.list() }
  }

  /// Fails where nothing can be said about the enrolled fingers, because the file about them is at fault.
  func checkFingerSet(of user: User) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in _ = try vault.fingerSet() }
  }

  /// Stores a value under an open vault's key.
  func put(
    _ item: Item, value: borrowing SecretBytes, of user: User, replaces: Bool
  ) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in
      try keys.lend(user.uid) { key throws(VaultError) in
        switch key {
        case .some(let key) where replaces: try vault.update(item, value: value, under: key, now: wallSeconds())
        case .some(let key): try vault.add(item, value: value, under: key, now: wallSeconds())
        case .none: throw .locked
        }
      }
    }
  }

  func delete(_ name: ItemName, of user: User) throws(VaultError) {
    try inTurn(user) { vault throws(VaultError) in try vault.delete(name) }
  }

  /// Looks an item up, to be released when something is proved. A login waits for it, so it does not wait for its turn, behind
  /// an scrypt perhaps, unless a change in the same moment was in its way.
  func locate(_ name: ItemName, of user: User) throws(VaultError) -> ItemToRelease {
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

  /// Releases a value for what was proved; in its turn where a change was in its way.
  func read(_ item: ItemToRelease, proof: Proof) throws(VaultError) -> SecretBytes {
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
  func state(of user: User) -> KeyState {
    guard keys.isHeld(user.uid) else { return .locked }
    return hasSession(user.uid) ? .unlocked : .afterFirstUnlock
  }

  /// The user has no passcode any more: what was stored for as long as there is one goes.
  func removeItemsOfPasscode(of user: User) {
    do throws(VaultError) {
      guard try hasVault(user) else { return }
      try inTurn(user) { vault throws(VaultError) in try vault.removeItems(.whenPasscodeSet) }
    } catch {
      Log.write(.error, "items for accounts with a passcode are still there: \(error.description)", [("user", user.name)])
    }
  }

  // MARK: - the vault as a whole

  /// For `signet status`. Opens nothing.
  func row(of user: User) -> VaultRow {
    do throws(VaultError) {
      guard try hasVault(user) else { return VaultRow(state: .none) }
      return try inTurn(user) { vault throws(VaultError) in try row(vault, user) }
    } catch {
      return VaultRow(state: .unusable, fault: error)
    }
  }

  private func row(_ vault: borrowing UserVault, _ user: User) throws(VaultError) -> VaultRow {
    let listing = try vault.list()
    let lost = listing.items.filter { !$0.isReadable }
    var row = VaultRow(
      state: keys.isHeld(user.uid) ? .open : .closed, items: UInt16(clamping: listing.items.count),
      lost: UInt16(clamping: lost.count), hasLoginSecret: listing.items.contains { $0.item.name == .loginSecret },
      fault: (listing.keyProblems + listing.problems).first)
    guard row.state == .closed else { return row }
    if try !vault.hasKey() {
      row.state = listing.items.isEmpty && listing.problems.isEmpty ? .none : .keyLost
      if row.state == .keyLost { row.lost = row.items }
    } else if hasOtherPasscode(user.uid) {
      row.state = .otherPasscode
    }
    return row
  }

  /// Empties a vault, also one that is damaged; answers how many items that cost, as far as they can be counted.
  func reset(_ user: User) throws(VaultError) -> Int {
    defer {
      keys.forget(user.uid)
      noteOtherPasscode(user.uid, false)
    }
    guard (try? store.value.deviceKey()) != nil else {
      do throws(SystemError) {
        try turn(user.uid).lock.withLock { _ throws(SystemError) in try store.value.removeVault(of: user.uid) }
        return 0
      } catch {
        throw VaultError(error)
      }
    }
    return try inTurn(user) { vault throws(VaultError) in
      let listing = try? vault.list()
      try vault.reset()
      return (listing?.items.count ?? 0) + (listing?.problems.count ?? 0)
    }
  }

  // MARK: - turns

  private func files(of user: User, seals: Bool = true) throws(VaultError) -> UserVault {
    do throws(SystemError) { return try store.value.vault(of: user, seals: seals) } catch { throw VaultError(error) }
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
  func hasVault(_ user: User) throws(VaultError) -> Bool {
    do throws(SystemError) { return try store.value.hasVault(of: user.uid) } catch { throw VaultError(error) }
  }
}

/// An item that was looked up, and the files that it is in.
final class ItemToRelease: Sendable {
  let user: User
  let item: LocatedItem
  let vault: UserVault

  init(user: User, item: LocatedItem, vault: consuming UserVault) {
    self.user = user
    self.item = item
    self.vault = vault
  }
}

extension ItemDescription {
  /// Whether any proof opens it.
  fileprivate var isReadable: Bool {
    item.accessControl.isSatisfied(by: [.fingerprint, .passcode], currentSet: isOfCurrentSet)
  }
}
