import SignetFiles
import SignetVocabulary

/// How a change of the items gets to the disk.
///
/// All files are written before the first of them is synced: a file system with a journal takes all to the disk with the first
/// sync, and the others have little left to do.
extension UserVault {
  /// Makes a change: writes the item's new file if there is one, the index and the epoch, and then removes the old file.
  func commit(
    _ index: ItemIndex, _ epoch: Epoch, writing bytes: [UInt8]? = nil, to entry: ItemIndex.Entry? = nil
  ) throws(VaultError) {
    var epoch = epoch
    epoch.sequence = index.sequence
    do throws(VaultError) {
      try prepare(index, epoch, bytes, entry)
      // From here on the change is made. The epoch must not be on disk before it: the old index would count as put back.
      try writing { () throws(SystemError) in try directory.putInPlace("index") }
      try onDisk { () throws(SystemError) in try directory.sync() }
    } catch {
      try undo(error, index, entry)
    }
    do throws(VaultError) {
      try writing { () throws(SystemError) in try epochs.putInPlace("\(uid)") }
      if let obsolete = index.obsolete { try takeAway(obsolete) }
    } catch {
      throw .unfinished(error)
    }
  }

  /// Has on disk, once it returns, all that the change needs, where nobody reads it yet.
  private func prepare(
    _ index: ItemIndex, _ epoch: Epoch, _ bytes: [UInt8]?, _ entry: ItemIndex.Entry?
  ) throws(VaultError) {
    let written = try prepare(index)
    let counted = try prepare(epoch)
    if let bytes, let entry {
      let items = try onDisk { () throws(SystemError) in try directory.directory("items", create: true) }
      let item = try writing { () throws(SystemError) in try items.create(entry.fileName, bytes) }
      try onDisk { () throws(SystemError) in
        try item.sync()
        try items.sync()
      }
    }
    try onDisk { () throws(SystemError) in
      try written.sync()
      try counted.sync()
    }
  }

  private func prepare(_ index: ItemIndex) throws(VaultError) -> WrittenFile {
    try prepare(ItemIndex.record, "index", in: directory, index.write)
  }

  private func prepare(_ epoch: Epoch) throws(VaultError) -> WrittenFile {
    try prepare(Epoch.record, "\(uid)", in: epochs, epoch.write)
  }

  /// Removes what the change replaced, and makes sure that it stays away. A change that only adds something needs no such
  /// care: whoever puts an older index back after a power cut loses the new item by that, and gains nothing.
  private func takeAway(_ obsolete: ItemIndex.Entry) throws(VaultError) {
    if let items = try items() { try remove(obsolete.fileName, in: items) }
    try onDisk { () throws(SystemError) in try epochs.sync() }
  }

  /// Removes what was written for a change that failed. The index may have got into its place all the same: then the change is
  /// made, and the item's file stays.
  private func undo(_ error: VaultError, _ index: ItemIndex, _ entry: ItemIndex.Entry?) throws(VaultError) {
    epochs.discard("\(uid)")
    if try readIndex() == index { throw .unfinished(error) }
    directory.discard("index")
    if let entry, let items = try items() { try? remove(entry.fileName, in: items) }
    throw error
  }
}
