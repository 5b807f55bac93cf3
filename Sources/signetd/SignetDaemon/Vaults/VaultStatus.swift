import DaemonService
import SignetFiles
import SignetVault
import SignetVocabulary
import SignetWire

/// A vault as a whole: what it is bound to, how it stands, and its end.
extension Vault {
  /// Destroys what was bound to the fingers that are enrolled; answers how many items that cost, as far as they can be counted. To be
  /// called before they change.
  package func renewFingerSet(of user: User, for change: FingerChange) throws(VaultError) -> Int {
    destroyDeviceSlot(of: user.uid)
    guard try hasVault(user) else { return 0 }
    return try inTurn(user) { vault throws(VaultError) in
      let bound = (try? vault.list())?.items.filter { $0.isOfCurrentSet && $0.item.accessControl.endsWithFingers }
      try vault.renewFingerSet(for: change)
      return bound?.count ?? 0
    }
  }

  /// The same without a successor, where it cannot be renewed; false where that fails, too.
  package func destroyFingerSet(of user: User) -> Bool {
    (try? inTurn(user) { vault throws(VaultError) in try vault.destroyFingerSet() }) != nil
  }

  /// For `signet status`. Opens nothing.
  package func row(of user: User) -> VaultRow {
    var row: VaultRow
    do throws(VaultError) {
      row =
        try hasVault(user)
        ? try inTurn(user) { vault throws(VaultError) in try self.row(vault, user) } : VaultRow(state: .none)
    } catch {
      row = VaultRow(state: .unusable, fault: error)
    }
    row.protection = keys.protection
    return row
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
  package func reset(_ user: User) throws(VaultError) -> Int {
    destroyDeviceSlot(of: user.uid)
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
}

extension ItemDescription {
  /// Whether any proof opens it.
  fileprivate var isReadable: Bool {
    item.accessControl.isSatisfied(by: [.fingerprint, .passcode], currentSet: isOfCurrentSet)
  }
}
