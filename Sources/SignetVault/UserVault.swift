import Glibc
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary

/// The vault of one user: `key`, `set`, `index` and `items/` in the user's folder, and the user's file among the epochs.
///
/// Every call goes to the disk, so that what is restored, repaired or removed there is seen at once; nothing is kept between
/// calls. One call at a time for a user; a second writer, in another process too, is refused.
///
/// A change first writes what is new beside what is old, then the index, which makes the change, then the epoch, and then
/// removes what is old. A crash in between leaves the old state or the new one; the next change or `openKey` tidies up.
public struct UserVault: ~Copyable, Sendable {
  let directory: StateDirectory
  let epochs: StateDirectory
  let deviceKey: any DeviceKey
  let uid: UInt32
  let owner: String
  let cost: ScryptCost
  let beforeWriting: @Sendable () throws(SystemError) -> Void

  /// - Parameters:
  ///   - directory: the folder of this user.
  ///   - epochs: a folder that all users' vaults share, away from theirs.
  ///   - owner: the user's name; a vault of somebody else who had the uid is refused. At most 256 bytes.
  public init(
    directory: consuming StateDirectory, epochs: consuming StateDirectory, deviceKey: any DeviceKey, uid: UInt32, owner: String
  ) {
    self.init(directory: directory, epochs: epochs, deviceKey: deviceKey, uid: uid, owner: owner, cost: .standard)
  }

  /// For tests: cheaper slots (whose cost a reader would accept all the same), and a hand on the power switch.
  init(
    directory: consuming StateDirectory, epochs: consuming StateDirectory, deviceKey: any DeviceKey, uid: UInt32, owner: String,
    cost: ScryptCost, beforeWriting: @escaping @Sendable () throws(SystemError) -> Void = {}
  ) {
    self.directory = directory
    self.epochs = epochs
    self.deviceKey = deviceKey
    self.uid = uid
    self.owner = owner
    self.cost = cost
    self.beforeWriting = beforeWriting
  }

  // MARK: - the user key

  /// Whether there is a key, or something in its place.
  public func hasKey() throws(VaultError) -> Bool { try hasFile("key", PasscodeSlot.record) }

  /// Makes the vault and its key. Fails where there is a key, and where items are left of one that is gone. Runs scrypt.
  public func createKey(passcode: Span<UInt8>) throws(VaultError) -> UserKey {
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
    try writeSlot(userKey, passcode, &epoch)
    return userKey
  }

  /// The key, for the right passcode. Runs scrypt. Also puts right what a crash left, where the disk can be written.
  public func openKey(passcode: Span<UInt8>) throws(VaultError) -> UserKey {
    guard let slot = try readSlot() else {
      guard let newest = try newest() else { throw .noKey }
      throw newest.index.entries.isEmpty ? .noKey : .missing(path("key"))
    }
    let epoch = try requireEpoch()
    guard slot.generation >= epoch.slot else { throw .putBack(path("key")) }
    guard let userKey = try slot.open(passcode, uid: uid) else { throw .wrongPasscode }
    tidyUp()
    return userKey
  }

  /// Wraps the key for another passcode, in the place of the old one, which opens nothing from then on. Runs scrypt.
  public func rewrap(_ userKey: borrowing UserKey, passcode: Span<UInt8>) throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    guard try hasKey() else { throw .noKey }
    var epoch = try requireEpoch()
    // A slot that cannot be read may be newer than the epoch by what a crash left; its number must not be used again.
    let written = (try? readSlot())?.generation ?? epoch.slot + 1
    epoch.slot = max(epoch.slot, written)
    try writeSlot(userKey, passcode, &epoch)
  }

  private func writeSlot(_ userKey: borrowing UserKey, _ passcode: Span<UInt8>, _ epoch: inout Epoch) throws(VaultError) {
    guard !passcode.isEmpty else { throw .emptyPasscode }
    let slot = try PasscodeSlot.make(userKey, passcode: passcode, uid: uid, generation: epoch.slot + 1, cost: cost)
    try write(PasscodeSlot.record, "key", in: directory, slot.write)
    epoch.slot = slot.generation
    try write(epoch)
  }

  /// Forgets everything: key, set and items. Works on what is damaged, too. What is put back afterwards is refused.
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

  /// The set as it is enrolled. Fails where its identity was destroyed or an older one was put back.
  public func fingerSet() throws(VaultError) -> FingerSet {
    guard let set = try readSet() else { throw .missing(path("set")) }
    guard set.generation >= (try requireEpoch()).set else { throw .putBack(path("set")) }
    return set
  }

  /// Destroys the identity of the enrolled set and makes another one. To be called before a change of the enrolled fingers is
  /// reported as done. Where this fails, nothing says that the old identity is gone, or that it is there.
  public func renewFingerSet() throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    var epoch = try firstEpoch()
    try writeNewSet(&epoch)
    try write(epoch)
  }

  /// Destroys the identity and makes no other, for fingers that go although the set cannot be renewed: what is not there opens
  /// nothing.
  public func destroyFingerSet() throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    try remove("set", in: directory)
  }

  private func writeNewSet(_ epoch: inout Epoch) throws(VaultError) {
    var written: UInt64 = 0
    if let old = try? readSet() { written = old.generation }
    guard let set = FingerSet(generation: max(epoch.set, written) + 1) else { throw .exhausted }
    try write(set)
    epoch.set = set.generation
  }

  /// The set's generation; `nil` where the set is gone or an older one was put back.
  func usableSet(_ epoch: Epoch) throws(VaultError) -> UInt64? {
    guard let set = try readSet(), set.generation >= epoch.set else { return nil }
    return set.generation
  }
}
