import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary

/// How the vault's files are read, checked against each other, written and tidied up.
extension UserVault {
  func path(_ name: String) -> String { "\(directory.path)/\(name)" }
  func itemPath(_ entry: ItemIndex.Entry) -> String { path("items/\(entry.fileName)") }
  private var epochPath: String { "\(epochs.path)/\(uid)" }

  func locked() throws(VaultError) -> WriterLock {
    try onDisk { () throws(SystemError) in
      let directory = try StateDirectory(path: directory.path, create: false)
      try directory.lock()
      return WriterLock(directory: directory)
    }
  }

  // MARK: - reading

  func hasFile(_ name: String, _ record: SealedRecord) throws(VaultError) -> Bool {
    try onDisk { () throws(SystemError) in try directory.read(name, limit: record.limit) } != nil
  }

  func readSlot() throws(VaultError) -> PasscodeSlot? {
    try read(PasscodeSlot.record, "key", in: directory, PasscodeSlot.read)
  }

  func readDeviceSlot() throws(VaultError) -> DeviceSlot? {
    try read(DeviceSlot.record, DeviceSlot.name, in: directory, DeviceSlot.read)
  }

  func readSet() throws(VaultError) -> FingerSet? { try read(FingerSet.record, "set", in: directory, FingerSet.read) }

  func readSetSummary() throws(VaultError) -> FingerSet.Summary? {
    try read(FingerSet.record, "set", in: directory, keptIn: \.set) { fields throws(FormatError) in
      try FingerSet.read(&fields).summary()
    }
  }

  func readIndex() throws(VaultError) -> ItemIndex? {
    try read(ItemIndex.record, "index", in: directory, keptIn: \.index, ItemIndex.read)
  }

  func readEpoch() throws(VaultError) -> Epoch? {
    try read(Epoch.record, "\(uid)", in: epochs, keptIn: \.epoch, Epoch.read)
  }

  private func read<Value: ~Copyable>(
    _ record: SealedRecord, _ name: String, in folder: borrowing StateDirectory,
    _ fields: (inout ByteReader) throws(FormatError) -> Value
  ) throws(VaultError) -> Value? {
    let bytes: [UInt8]?
    do { bytes = try folder.read(name, limit: record.limit) } catch { throw VaultError(error) }
    guard let bytes else { return nil }
    return try record.decode(bytes, uid: uid, under: deviceKey, at: "\(folder.path)/\(name)", fields)
  }

  /// The same, from the cache where the file is still the one that it was read from.
  private func read<Value: Sendable>(
    _ record: SealedRecord, _ name: String, in folder: borrowing StateDirectory,
    keptIn slot: WritableKeyPath<VaultCache.State, VaultCache.Kept<Value>?> & Sendable,
    _ fields: (inout ByteReader) throws(FormatError) -> Value
  ) throws(VaultError) -> Value? {
    guard let cache else { return try read(record, name, in: folder, fields) }
    let changes = cache.changes
    do throws(SystemError) {
      guard let stamp = try folder.stamp(name) else { return nil }
      if let value = cache.value(slot, stamp) { return value }
    } catch {
      throw VaultError(error)
    }
    let file: (bytes: [UInt8], stamp: FileStamp)?
    do { file = try folder.readStamped(name, limit: record.limit) } catch { throw VaultError(error) }
    guard let file else { return nil }
    let value = try record.decode(file.bytes, uid: uid, under: deviceKey, at: "\(folder.path)/\(name)", fields)
    cache.keep(value, file.stamp, in: slot, changes)
    return value
  }

  /// The items' folder; `nil` where there is none.
  func items() throws(VaultError) -> StateDirectory? {
    do throws(SystemError) { return try directory.directory("items", create: false) } catch {
      if error.code == ENOENT { return nil }
      throw VaultError(error)
    }
  }

  // MARK: - checking

  /// The index and the epoch; `nil` where the user has no vault. Fails where the index is older than the epoch says.
  func newest() throws(VaultError) -> (epoch: Epoch, index: ItemIndex)? {
    guard let index = try readIndex() else {
      guard (try readEpoch()?.sequence ?? 0) == 0, try !hasKey() else { throw .missing(path("index")) }
      return nil
    }
    let epoch = try requireEpoch()
    guard index.sequence >= epoch.sequence else { throw .putBack(path("index")) }
    guard index.owner == owner else { throw .otherOwner(path("index"), uid: uid, owner: index.owner) }
    return (epoch, index)
  }

  func requireEpoch() throws(VaultError) -> Epoch {
    guard let epoch = try readEpoch() else { throw .missing(epochPath) }
    return epoch
  }

  /// The epoch. Where there is none yet, a first one is made; where the user's files show that there was one, this fails.
  func firstEpoch() throws(VaultError) -> Epoch {
    if let epoch = try readEpoch() { return epoch }
    guard try !hasFile("index", ItemIndex.record), try !hasFile("set", FingerSet.record), try !hasKey() else {
      throw .missing(epochPath)
    }
    let epoch = Epoch()
    try write(epoch)
    return epoch
  }

  /// The newest state, from which a change starts, after removing what earlier changes left when they were interrupted.
  func settled() throws(VaultError) -> (epoch: Epoch, index: ItemIndex) {
    guard let (found, index) = try newest() else { throw .noKey }
    var epoch = found
    epoch.sequence = index.sequence
    if let set = try? readSet() { epoch.set = max(epoch.set, set.generation) }
    if let slot = try? readSlot() { epoch.slot = max(epoch.slot, slot.generation) }
    if epoch != found { try write(epoch) }
    guard let items = try items() else { return (epoch, index) }
    try removeUnfinished(items)
    for name in try onDisk({ () throws(SystemError) in try items.names() })
    where index.isUncommitted(name) || index.obsolete?.fileName == name {
      try remove(name, in: items)
    }
    return (epoch, index)
  }

  /// Removes temporary files that a crash left among the items. In the user's folder this is not done: other parts of signetd
  /// keep files there, and the vault's own temporary files have fixed names, so the next write replaces them.
  func removeUnfinished(_ folder: borrowing StateDirectory) throws(VaultError) {
    do throws(SystemError) { try folder.removeUnfinished() } catch { throw VaultError(error) }
  }

  /// Does what `settled` does, and ignores errors: not being able to tidy up must not keep anybody from opening the vault.
  func tidyUp() {
    guard let lock = try? locked() else { return }
    defer { extendLifetime(lock) }
    _ = try? settled()
  }

  // MARK: - writing

  func write(_ index: ItemIndex) throws(VaultError) { try write(ItemIndex.record, "index", in: directory, index.write) }

  func write(_ epoch: Epoch) throws(VaultError) { try write(Epoch.record, "\(uid)", in: epochs, epoch.write) }

  func write(_ set: borrowing FingerSet) throws(VaultError) {
    try write(FingerSet.record, "set", in: directory) { fields throws(FormatError) in try set.write(&fields) }
  }

  func write(
    _ record: SealedRecord, _ name: String, in folder: borrowing StateDirectory,
    _ fields: (inout SecretBytes) throws(FormatError) -> Void
  ) throws(VaultError) {
    try write(try record.encode(uid: uid, under: deviceKey, fields), name, in: folder)
  }

  private func write(_ bytes: [UInt8], _ name: String, in folder: borrowing StateDirectory) throws(VaultError) {
    try writing { () throws(SystemError) in try folder.replace(name, with: bytes) }
  }

  /// Writes the new contents of a file beside it.
  func prepare(
    _ record: SealedRecord, _ name: String, in folder: borrowing StateDirectory,
    _ fields: (inout SecretBytes) throws(FormatError) -> Void
  ) throws(VaultError) -> WrittenFile {
    let bytes = try record.encode(uid: uid, under: deviceKey, fields)
    return try writing { () throws(SystemError) in try folder.prepare(bytes, for: name) }
  }

  func remove(_ name: String, in folder: borrowing StateDirectory) throws(VaultError) {
    try writing { () throws(SystemError) in try folder.remove(name) }
  }

  /// One step on the disk, after which the cache's files are others.
  func writing<Value: ~Copyable>(_ step: () throws(SystemError) -> Value) throws(VaultError) -> Value {
    defer { cache?.forget() }
    return try onDisk { () throws(SystemError) in
      try beforeWriting()
      return try step()
    }
  }
}

/// Keeps other writers of a vault away for as long as it lives.
struct WriterLock: ~Copyable {
  private let directory: StateDirectory

  fileprivate init(directory: consuming StateDirectory) { self.directory = directory }

  deinit { directory.unlock() }
}

extension ItemIndex {
  /// Whether a file of that name was written for the change after this index, which never took effect.
  func isUncommitted(_ fileName: String) -> Bool {
    let parts = fileName.split(separator: ".")
    return parts.count == 2 && parts[0].utf8.count == 2 * ItemDigest.length && parts[1] == "\(sequence + 1)"
  }
}
