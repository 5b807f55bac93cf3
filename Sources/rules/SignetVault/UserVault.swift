import Glibc
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary

/// The vault of one user: `key`, `set`, `index` and `items/` in the user's folder, and the user's file among the epochs.
///
/// Every call looks at the disk, so that a file that is restored, repaired or removed is noticed at once. What a `VaultCache`
/// keeps is used only while the files are still those that it was read from. Make one call at a time for a user. A second writer, even one in another process, is refused.
///
/// A change writes the new file beside the old one, then the index, which makes the change take effect, then the epoch, and at
/// last removes the old file. A crash in between leaves the old state or the new one; the next change or `openKey` tidies up.
public struct UserVault: ~Copyable, Sendable {
  let directory: StateDirectory
  let epochs: StateDirectory
  let deviceKey: any DeviceKey
  let uid: UInt32
  let owner: String
  let cache: VaultCache?
  let beforeWriting: @Sendable () throws(SystemError) -> Void

  /// - Parameters:
  ///   - directory: the folder of this user.
  ///   - epochs: a folder apart from the users' own, which all vaults share.
  ///   - owner: the user's name, at most 256 bytes. A vault of another user who once had the same uid is refused.
  ///   - cache: of this user's vault.
  public init(
    directory: consuming StateDirectory, epochs: consuming StateDirectory, deviceKey: any DeviceKey, uid: UInt32, owner: String,
    cache: VaultCache? = nil
  ) {
    self.init(
      directory: directory, epochs: epochs, deviceKey: deviceKey, uid: uid, owner: owner, cache: cache, beforeWriting: {})
  }

  /// For tests: a call before each write that can make the write fail, as a power cut does.
  init(
    directory: consuming StateDirectory, epochs: consuming StateDirectory, deviceKey: any DeviceKey, uid: UInt32, owner: String,
    cache: VaultCache? = nil, beforeWriting: @escaping @Sendable () throws(SystemError) -> Void
  ) {
    self.directory = directory
    self.epochs = epochs
    self.deviceKey = deviceKey
    self.uid = uid
    self.owner = owner
    self.cache = cache
    self.beforeWriting = beforeWriting
  }

  // MARK: - the user key

  /// Whether there is a key file, readable or not.
  public func hasKey() throws(VaultError) -> Bool { try hasFile("key", PasscodeSlot.record) }

  /// The salt of the passcode that opens the key. Fails where no passcode can.
  public func salt() throws(VaultError) -> ScryptSalt { try currentSlot().scryptSalt }

  /// The passcode slot. Fails where there is none, or an older one was put back.
  func currentSlot() throws(VaultError) -> PasscodeSlot {
    guard let slot = try readSlot() else {
      guard let newest = try newest() else { throw .noKey }
      throw newest.index.entries.isEmpty ? .noKey : .missing(path("key"))
    }
    let epoch = try requireEpoch()
    guard slot.generation >= epoch.slot else { throw .putBack(path("key")) }
    return slot
  }

  /// Makes the vault and its key. Fails where there is a key already, and where items are left whose key is gone.
  public func createKey(_ passcodeKey: borrowing PasscodeKey) throws(VaultError) -> UserKey {
    let lock = try locked()
    defer { extendLifetime(lock) }
    guard try !hasKey() else { throw .keyExists(path("key")) }
    let index: ItemIndex
    var epoch: Epoch
    if let newest = try newest() {
      guard newest.index.entries.isEmpty else { throw .missing(path("key")) }
      (epoch, index) = (newest.epoch, newest.index)
    } else {
      epoch = try firstEpoch()
      index = try ItemIndex(sequence: epoch.sequence + 1, owner: owner)
      try write(index)
    }
    epoch.sequence = index.sequence
    if try usableSet(epoch) == nil { try writeNewSet(&epoch) }
    guard let userKey = UserKey(random: ()) else { throw .exhausted }
    try writeSlot(userKey, passcodeKey, &epoch)
    return userKey
  }

  /// The key, for the right passcode; `nil` where it has another salt by now. Also tidies up after a crash, where the disk can be
  /// written.
  public func openKey(_ passcodeKey: borrowing PasscodeKey) throws(VaultError) -> UserKey? {
    let slot = try currentSlot()
    guard slot.scryptSalt == passcodeKey.salt else { return nil }
    guard let userKey = slot.open(passcodeKey, uid: uid) else { throw .wrongPasscode }
    tidyUp()
    return userKey
  }

  /// Wraps the key for another passcode. From then on the old passcode opens nothing.
  public func rewrap(_ userKey: borrowing UserKey, under passcodeKey: borrowing PasscodeKey) throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    guard try hasKey() else { throw .noKey }
    var epoch = try requireEpoch()
    // After a crash the slot may have a number that is one higher than the epoch's. That number must not be used again, even
    // where the slot cannot be read.
    let written = (try? readSlot())?.generation ?? epoch.slot + 1
    epoch.slot = max(epoch.slot, written)
    try writeSlot(userKey, passcodeKey, &epoch)
  }

  private func writeSlot(
    _ userKey: borrowing UserKey, _ passcodeKey: borrowing PasscodeKey, _ epoch: inout Epoch
  ) throws(VaultError) {
    let slot = try PasscodeSlot.make(userKey.span, under: passcodeKey, uid: uid, generation: epoch.slot + 1)
    try write(PasscodeSlot.record, "key", in: directory, slot.write)
    epoch.slot = slot.generation
    try write(epoch)
  }

  /// Deletes everything: key, set and items. Works on damaged files too. Files that are put back afterwards are refused.
  public func reset() throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    let (known, index) = (try? readEpoch(), try? readIndex())
    var epoch = known.flatMap { $0 } ?? Epoch()
    epoch.sequence = max(epoch.sequence, index.flatMap { $0 }?.sequence ?? 0) + 1
    try write(ItemIndex(sequence: epoch.sequence, owner: owner))
    try remove("key", in: directory)
    try writeNewSet(&epoch)
    try write(epoch)
    guard let items = try items() else { return }
    try removeUnfinished(items)
    for name in try onDisk({ () throws(SystemError) in try items.names() }) { try remove(name, in: items) }
  }

  // MARK: - the finger set

  /// The current finger set. Fails where its identity was destroyed or an older copy was put back.
  public func fingerSet() throws(VaultError) -> FingerSet {
    guard let set = try readSet() else { throw .missing(path("set")) }
    guard set.generation >= (try requireEpoch()).set else { throw .putBack(path("set")) }
    return set
  }

  /// Destroys the identity of the enrolled set and makes another one. Call it before a change of the enrolled fingers is
  /// reported as done. If it fails, the old identity may be gone or still be there. What is lost by it is listed with `change`.
  public func renewFingerSet(for change: FingerChange? = nil) throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    var epoch = try firstEpoch()
    try writeNewSet(&epoch, change)
    try write(epoch)
  }

  /// Destroys the identity and makes no other one. This is for deleting fingers where `renewFingerSet` fails: without an
  /// identity no item that is bound to the fingers opens.
  public func destroyFingerSet() throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    try remove("set", in: directory)
  }

  private func writeNewSet(_ epoch: inout Epoch, _ change: FingerChange? = nil) throws(VaultError) {
    let old = (try? readSet()?.summary()) ?? FingerSet.Summary(generation: 0, changes: [])
    let generation = max(epoch.set, old.generation) + 1
    let changes = old.changes + (change.map { [FingerSet.Change(generation: generation, change: $0)] } ?? [])
    guard let set = FingerSet(generation: generation, changes: changes.suffix(FingerSet.mostChanges)) else { throw .exhausted }
    try write(set)
    epoch.set = set.generation
  }

  /// The set; `nil` where it is gone or an older one was put back.
  func usableSet(_ epoch: Epoch) throws(VaultError) -> FingerSet.Summary? {
    guard let set = try readSetSummary(), set.generation >= epoch.set else { return nil }
    return set
  }
}
