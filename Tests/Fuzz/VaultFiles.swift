import SignetBytes
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary

@testable import SignetVault

extension FuzzTarget {
  /// The vault's files: key, set, epoch, index, an item, the device slot. The first byte says which; what follows is the file. Here the device
  /// key is one that seals nothing, so that what lies under the seals is reached.
  ///
  /// What is believed is written back bit for bit, and is bound to its user and, for an item, to its name's digest.
  static let vault = FuzzTarget(
    name: "vault", longest: 1024, seeds: { vaultSeeds },
    run: { bytes in
      guard bytes.count > 0 else { return }
      let file = Array(copying: bytes.extracting(droppingFirst: 1))
      switch bytes[0] % 6 {
      case 0: readSlot(file)
      case 1: readSet(file)
      case 2: check(Epoch.record, file, Epoch.read) { epoch in epoch.write }
      case 3: readIndex(file)
      case 4: readItem(file)
      default: check(DeviceSlot.record, file, DeviceSlot.read) { slot in slot.write }
      }
    })
}

private let uid: UInt32 = 1000

/// Adds a tag that says for what a text is, and takes nothing with another one.
private struct TransparentKey: DeviceKey {
  func seal(_ plain: Span<UInt8>, for context: SealContext) throws(SealingError) -> [UInt8] {
    tag(context) + Array(copying: plain)
  }

  func open(_ sealed: Span<UInt8>, for context: SealContext) throws(SealingError) -> SecretBytes {
    let tag = tag(context)
    guard sealed.count >= tag.count, Array(copying: sealed.extracting(first: tag.count)) == tag,
      var plain = SecretBytes(capacity: max(1, sealed.count)), plain.append(sealed.extracting(droppingFirst: tag.count))
    else { throw .notAuthentic }
    return plain
  }

  func mark(_ label: StaticString, _ material: Span<UInt8>) throws(SealingError) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: material.count), count: 32)
  }

  /// As long as a seal's.
  private func tag(_ context: SealContext) -> [UInt8] {
    let letters = context.purpose.withUTF8Buffer { Array($0) }
    let bound = letters + [context.version] + (0..<4).map { UInt8(truncatingIfNeeded: context.uid >> (8 * $0)) } + context.name
    return Array((bound + [UInt8](repeating: 0, count: SealingKey.overhead)).prefix(SealingKey.overhead))
  }
}

private let digest = ItemDigest([UInt8](0..<16))
private let deviceKey = TransparentKey()

private var vaultSeeds: [[UInt8]] {
  let slot = PasscodeSlot(
    generation: 3, cost: ScryptCost(mebibytes: 128), salt: [UInt8](0..<32),
    wrapped: [UInt8](repeating: 7, count: PasscodeSlot.wrappedLength))
  let set = FingerSet(generation: 2)!
  let key = UserKey(random: ())!
  let device = try! DeviceSlot.make(key, generation: 3, set, fingers: [UInt8](0..<32), uid: uid)
  let entry = ItemIndex.Entry(digest: digest, sequence: 4)
  let other = ItemIndex.Entry(digest: ItemDigest([UInt8](1...16)), sequence: 5)
  let index = ItemIndex(sequence: 5, owner: "alice", salt: [UInt8](0..<32), entries: [entry, other], obsolete: entry)
  let item = Item(
    ItemName(service: "mail", account: "a"), label: "Mail", comment: "old",
    accessControl: AccessControl([.biometryCurrentSet, .devicePasscode], .or))
  return [
    [0] + (try! PasscodeSlot.record.encode(uid: uid, under: deviceKey, slot.write)),
    [1] + (try! FingerSet.record.encode(uid: uid, under: deviceKey) { fields throws(FormatError) in try set.write(&fields) }),
    [2] + (try! Epoch.record.encode(uid: uid, under: deviceKey, Epoch(sequence: 5, set: 2, slot: 3).write)),
    [3] + (try! ItemIndex.record.encode(uid: uid, under: deviceKey, index.write)), [4] + sealedItem(item, entry),
    [4] + sealedItem(.loginSecret, entry), [5] + (try! DeviceSlot.record.encode(uid: uid, under: deviceKey, device.write)),
  ]
}

private func sealedItem(_ item: Item, _ entry: ItemIndex.Entry) -> [UInt8] {
  var value = SecretBytes(capacity: 8)!
  _ = value.append([1, 2, 3].span)
  let keys = ItemFile.WrappingKeys(plain: SealingKey(random: ())!, set: SealingKey(random: ())!, generation: 2)
  let attributes = ItemFile.Attributes(
    name: item.name, label: item.label, comment: item.comment, created: 1, modified: 2, set: 0, sealsDigest: [])
  return try! ItemFile.seal(
    ItemHeader(item, isInTPM: false, entry: entry, uid: uid), attributes, value: value, wrappedUnder: keys, under: deviceKey)
}

private func check<Value>(
  _ record: SealedRecord, _ file: [UInt8], _ read: (inout ByteReader) throws(FormatError) -> Value,
  _ write: (Value) -> (inout SecretBytes) throws(FormatError) -> Void
) {
  guard let value = try? record.decode(file, uid: uid, under: deviceKey, at: "", read) else { return }
  requireSame(try! record.encode(uid: uid, under: deviceKey, write(value)), file)
  require((try? record.decode(file, uid: uid + 1, under: deviceKey, at: "", read)) == nil, "another user's file is believed")
}

private func requireSame(_ written: [UInt8], _ read: [UInt8]) {
  require(written == read, "read from \(hex(read.span)) and written as \(hex(written.span))")
}

private func readSlot(_ file: [UInt8]) {
  check(PasscodeSlot.record, file, PasscodeSlot.read) { slot in
    require(slot.cost.isWithinBounds, "\(slot.cost) is believed")
    return slot.write
  }
}

private func readSet(_ file: [UInt8]) {
  guard let set = try? FingerSet.record.decode(file, uid: uid, under: deviceKey, at: "", FingerSet.read) else { return }
  requireSame(
    try! FingerSet.record.encode(uid: uid, under: deviceKey) { fields throws(FormatError) in try set.write(&fields) }, file)
}

private func readIndex(_ file: [UInt8]) {
  check(ItemIndex.record, file, ItemIndex.read) { index in
    for entry in index.entries { require(index[entry.digest] == entry, "\(entry) is not found in \(index)") }
    let next = ItemName(service: "new", account: "")
    var changed = index
    let entry = changed.advance(changed.digest(of: next), isKept: true)
    require(changed[entry.digest] == entry && changed.sequence > index.sequence, "\(changed) lost \(entry)")
    require(zip(changed.entries, changed.entries.dropFirst()).allSatisfy { $0.digest < $1.digest }, "\(changed) is not sorted")
    return index.write
  }
}

private func readItem(_ file: [UInt8]) {
  guard let item = try? ItemFile(file, uid: uid, digest: digest, under: deviceKey, at: "") else { return }
  let sealed = try! item.attributes.sealed(for: item.header, under: deviceKey)
  let seals =
    (item.header.accessControl.hasPlainWrap ? Array(item.wrap(.plainWrap)) : [])
    + (item.header.accessControl.hasSetWrap ? Array(item.wrap(.setWrap)) : []) + Array(item.sealedValue)
  requireSame(item.header.bytes + sealed + seals, file)
  require((try? ItemFile(file, uid: uid + 1, digest: digest, under: deviceKey, at: "")) == nil, "another user's item is believed")
  let other = ItemDigest([UInt8](1...16))
  require((try? ItemFile(file, uid: uid, digest: other, under: deviceKey, at: "")) == nil, "another item's file is believed")
}
