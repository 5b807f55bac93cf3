import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary

extension UserVault {
  // MARK: - changing

  /// Stores a new item. `now`: seconds since 1970. `creator`: the program that stores it; empty where nobody knows. `isInTPM`: of a
  /// key, whether the value is not its private number, but what the TPM is given to sign with it.
  public func add(
    _ item: Item, value: borrowing SecretBytes, creator: String = "", isInTPM: Bool = false, under userKey: borrowing UserKey,
    now: UInt64
  ) throws(VaultError) {
    guard !isInTPM || item.name.kind == .key else { throw .badItem }
    try put(item, value, isInTPM, userKey, now) { index, old throws(VaultError) in
      guard old == nil else { throw .duplicate }
      guard index.entries.count < ItemLimit.items + (item.name == .loginSecret ? 1 : 0) else { throw .full }
      return (now, ItemPrograms(creator: creator))
    }
  }

  /// Replaces an item that exists: its value, its access control and its texts. This reveals nothing of the old value, so
  /// nothing has to be proved, and it works where the item's file is damaged. The item's programs stay, and `admitting`, where
  /// it is not empty, is one of them from now on; those of a damaged file are lost. A key is not replaced.
  public func update(
    _ item: Item, value: borrowing SecretBytes, admitting program: String = "", under userKey: borrowing UserKey, now: UInt64
  ) throws(VaultError) {
    guard item.name.kind != .key else { throw .badItem }
    try put(item, value, false, userKey, now) { _, old throws(VaultError) in
      guard let old else { throw .notFound }
      guard let attributes = (try? file(old))?.attributes else { return (now, ItemPrograms()) }
      var programs = attributes.programs
      programs.admit(program)
      return (attributes.created, programs)
    }
  }

  /// Writes an item. `kept` checks what is there already, and returns when the item was first stored, and its programs.
  private func put(
    _ item: Item, _ value: borrowing SecretBytes, _ isInTPM: Bool, _ userKey: borrowing UserKey, _ now: UInt64,
    kept: (ItemIndex, _ old: ItemIndex.Entry?) throws(VaultError) -> (created: UInt64, programs: ItemPrograms)
  ) throws(VaultError) {
    guard item.isValid, value.count <= ItemLimit.value, item.name.kind != .key || item.attributes.count == ItemLimit.publicKey
    else { throw .badItem }
    let lock = try locked()
    defer { extendLifetime(lock) }
    var (epoch, index) = try settled()
    let digest = index.digest(of: item.name)
    let kept = try kept(index, index[digest])
    let entry = index.advance(digest, isKept: true)
    let attributes = ItemFile.Attributes(
      name: item.name, label: item.label, comment: item.comment, created: kept.created, modified: now, set: 0, sealsDigest: [],
      ofClients: item.attributes, programs: kept.programs)
    let header = ItemHeader(item, isInTPM: isInTPM, entry: entry, uid: uid)
    let bytes = try sealed(header, attributes, value: value, under: userKey)
    try commit(index, epoch, writing: bytes, to: entry)
  }

  /// Lets a program read an item from now on, beside the one that stored it. Needs no key: that the owner was asked, the caller
  /// has to see to.
  public func admit(_ program: String, to name: ItemName) throws(VaultError) {
    try changePrograms(of: name) { $0.admit(program) }
  }

  /// Forgets which programs may read an item beside the one that stored it. Needs no key and no proof.
  public func revokePrograms(of name: ItemName) throws(VaultError) {
    try changePrograms(of: name) { $0.others = [] }
  }

  private func changePrograms(of name: ItemName, _ change: (inout ItemPrograms) -> Void) throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    var (epoch, index) = try settled()
    let digest = index.digest(of: name)
    guard name.isValid, let old = index[digest] else { throw .notFound }
    let file = try file(old)
    var programs = file.attributes.programs
    change(&programs)
    if programs == file.attributes.programs { return }
    let entry = index.advance(digest, isKept: true)
    let bytes = try file.followed(by: entry, programs: programs, under: deviceKey)
    try commit(index, epoch, writing: bytes, to: entry)
  }

  /// Removes an item for good. Needs no key and no proof, as in the Keychain.
  public func delete(_ name: ItemName) throws(VaultError) {
    let lock = try locked()
    defer { extendLifetime(lock) }
    var (epoch, index) = try settled()
    let digest = index.digest(of: name)
    guard name.isValid, index[digest] != nil else { throw .notFound }
    _ = index.advance(digest, isKept: false)
    try commit(index, epoch)
  }

  /// Removes all items of a class: those of `whenPasscodeSet` are removed when the account has no passcode any more.
  public func removeItems(_ accessibility: Accessibility) throws(VaultError) {
    for described in try list().items where described.item.accessibility == accessibility { try delete(described.item.name) }
  }

  // MARK: - reading

  /// Lists the items without opening any.
  public func list() throws(VaultError) -> ItemListing {
    var listing = ItemListing()
    guard let (epoch, index) = try newest() else { return listing }
    let set = (try? usableSet(epoch)) ?? nil
    for entry in index.entries {
      do throws(VaultError) {
        listing.items.append(try file(entry).description(set))
      } catch {
        listing.problems.append(error)
      }
    }
    listing.items.sort {
      ($0.item.name.service, $0.item.name.account) < ($1.item.name.service, $1.item.name.account)
    }
    listing.problems += try strays(index)
    if !index.entries.isEmpty { listing.keyProblems = keyProblems(epoch) }
    return listing
  }

  private func keyProblems(_ epoch: Epoch) -> [VaultError] {
    var problems: [VaultError] = []
    do throws(VaultError) {
      guard let slot = try readSlot() else { throw .missing(path("key")) }
      guard slot.generation >= epoch.slot else { throw .putBack(path("key")) }
    } catch {
      problems.append(error)
    }
    do throws(VaultError) { _ = try fingerSet() } catch { problems.append(error) }
    return problems
  }

  /// Describes one item without opening it, and so tells what has to be proved to read it.
  public func description(of name: ItemName) throws(VaultError) -> ItemDescription { try locate(name).description }

  /// Looks an item up ahead of time, so that `read` is quick once the user has proved something.
  public func locate(_ name: ItemName) throws(VaultError) -> LocatedItem {
    let (epoch, file) = try newestFile(name)
    return LocatedItem(file: file, epoch: epoch, description: file.description((try? usableSet(epoch)) ?? nil))
  }

  /// Releases an item's value, if `proof` is enough. `userKey`: `nil` where the key is not in memory.
  public func read(
    _ name: ItemName, proof: Proof, state: KeyState, userKey: borrowing UserKey?
  ) throws(VaultError) -> SecretBytes {
    try read(try locate(name), proof: proof, state: state, userKey: userKey)
  }

  /// Releases the value of an item that was looked up before. This takes no longer with a thousand items than with one. Where
  /// the vault was changed in between, the item is looked up again.
  public func read(
    _ item: LocatedItem, proof: Proof, state: KeyState, userKey: borrowing UserKey?
  ) throws(VaultError) -> SecretBytes {
    let epoch = try requireEpoch()
    let file = epoch.sequence == item.epoch.sequence ? item.file : try newestFile(item.file.attributes.name).1
    guard file.header.accessibility.isAccessible(state, proof: proof) else { throw .locked }
    switch userKey {
    case .some(let userKey): return try open(file, proof, epoch, userKey)
    case .none: throw .locked
    }
  }

  /// What is said of an item that was read, where the value is not what the attributes say.
  public func damage(of item: LocatedItem) -> VaultError { .damaged(itemPath(item.file.header.entry)) }

  private func open(
    _ file: ItemFile, _ proof: Proof, _ epoch: Epoch, _ userKey: borrowing UserKey
  ) throws(VaultError) -> SecretBytes {
    let path = itemPath(file.header.entry)
    let control = file.header.accessControl
    if control.isSatisfied(by: proof, currentSet: false) {
      guard let key = userKey.plainWrappingKey(file.header.entry.digest) else { throw .exhausted }
      guard let value = file.open(.plainWrap, under: key) else { throw .otherKey(path) }
      return value
    }
    guard control.isSatisfied(by: proof, currentSet: true) else { throw .proofMissing }
    guard let set = try readSet(), set.generation >= epoch.set, set.generation == file.attributes.set else {
      throw .setChanged(path)
    }
    guard let key = userKey.setWrappingKey(set) else { throw .exhausted }
    guard let value = file.open(.setWrap, under: key) else { throw .otherKey(path) }
    return value
  }

  // MARK: - files

  private func sealed(
    _ header: ItemHeader, _ attributes: ItemFile.Attributes, value: borrowing SecretBytes, under userKey: borrowing UserKey
  ) throws(VaultError) -> [UInt8] {
    guard let plain = userKey.plainWrappingKey(header.entry.digest) else { throw .exhausted }
    var keys = ItemFile.WrappingKeys(plain: plain, set: nil, generation: 0)
    if header.accessControl.hasSetWrap {
      let set = try fingerSet()
      keys.set = userKey.setWrappingKey(set)
      keys.generation = set.generation
    }
    return try ItemFile.seal(header, attributes, value: value, wrappedUnder: keys, under: deviceKey)
  }

  private func newestFile(_ name: ItemName) throws(VaultError) -> (Epoch, ItemFile) {
    guard name.isValid, let (epoch, index) = try newest(), let entry = index[index.digest(of: name)] else { throw .notFound }
    let file = try file(entry)
    guard file.attributes.name == name else { throw .damaged(itemPath(entry)) }
    return (epoch, file)
  }

  /// An item's file. Fails where it is not the one that the index names.
  private func file(_ entry: ItemIndex.Entry) throws(VaultError) -> ItemFile {
    let name = entry.fileName
    let changes = cache?.changes ?? 0
    if let cache {
      let stamp = try onDisk { () throws(SystemError) in try directory.stamp("items/\(name)") }
      if let stamp, let file = cache.item(entry, stamp) { return file }
    }
    let path = itemPath(entry)
    guard let items = try items(),
      let found = try onDisk({ () throws(SystemError) in try items.readStamped(name, limit: ItemFile.limit) })
    else { throw .missing(path) }
    let file = try ItemFile(found.bytes, uid: uid, digest: entry.digest, under: deviceKey, at: path)
    guard file.header.entry == entry else { throw .putBack(path) }
    cache?.keep(file, found.stamp, changes)
    return file
  }

  /// Files among the items that neither the index nor an interrupted change explains.
  private func strays(_ index: ItemIndex) throws(VaultError) -> [VaultError] {
    guard let items = try items() else { return [] }
    let known = Set((index.entries + [index.obsolete].compactMap { $0 }).map(\.fileName))
    return try onDisk { () throws(SystemError) in try items.names() }
      .filter { !known.contains($0) && !index.isUncommitted($0) }
      .map { .unknown("\(items.path)/\($0)") }
  }
}

extension ItemFile {
  /// `set`: the enrolled one, where there is one.
  func description(_ set: FingerSet.Summary?) -> ItemDescription {
    let isOfCurrentSet = !header.accessControl.hasSetWrap || attributes.set == set?.generation
    return ItemDescription(
      item: item, created: attributes.created, modified: attributes.modified, isOfCurrentSet: isOfCurrentSet,
      change: isOfCurrentSet ? nil : set?.change(after: attributes.set), programs: attributes.programs,
      isInTPM: header.version == .keyOfTPM)
  }
}
