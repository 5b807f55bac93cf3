import CSodium
import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// The first part of the name of an item's file: a keyed digest, so that the file's name does not reveal the item's.
struct ItemDigest: Hashable, Comparable, Sendable {
  let high: UInt64
  let low: UInt64

  static let length = 16

  var bytes: [UInt8] { [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } } }

  static func < (left: ItemDigest, right: ItemDigest) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// Which items there are, and which file of each is the newest. A change takes effect when the new index is written.
struct ItemIndex: Equatable, Sendable {
  struct Entry: Hashable, Sendable {
    var digest: ItemDigest
    /// The number of the change that wrote the item's file.
    var sequence: UInt64

    /// Its file's name: digest and sequence. A change writes a new file beside the old one.
    var fileName: String { "\(digest.bytes.hexadecimal).\(sequence)" }
  }

  /// Counts the changes.
  var sequence: UInt64
  /// The user's name when the vault was made.
  var owner: String
  /// The key of the digests.
  var salt: [UInt8]
  /// Sorted by digest.
  var entries: [Entry]
  /// The file that the last change replaced. It may still be there, if a crash kept the change from removing it.
  var obsolete: Entry?

  static let saltLength = 32
  static let ownerLimit = 256
  static let record = SealedRecord("SGix", limit: 64 + 512 + (ItemLimit.items + 2) * 24)

  init(sequence: UInt64, owner: String) throws(VaultError) {
    guard let salt = randomBytes(ItemIndex.saltLength) else { throw .exhausted }
    self.init(sequence: sequence, owner: owner, salt: salt, entries: [], obsolete: nil)
  }

  init(sequence: UInt64, owner: String, salt: [UInt8], entries: [Entry], obsolete: Entry?) {
    self.sequence = sequence
    self.owner = owner
    self.salt = salt
    self.entries = entries
    self.obsolete = obsolete
  }

  /// Keyed BLAKE2b of kind, service (after its length) and account.
  func digest(of name: ItemName) -> ItemDigest {
    let count = name.service.utf8.count
    let lengths = Array(littleEndian: count, size: 2)
    let message = [name.kind.rawValue] + lengths + Array(name.service.utf8) + Array(name.account.utf8)
    var digest = [UInt8](repeating: 0, count: ItemDigest.length)
    // It only fails for lengths that are out of its range, and these lengths are not.
    _ = unsafe crypto_generichash(&digest, digest.count, message, UInt64(message.count), salt, salt.count)
    return ItemDigest(digest)
  }

  subscript(digest: ItemDigest) -> Entry? {
    let place = place(of: digest)
    return place < entries.count && entries[place].digest == digest ? entries[place] : nil
  }

  /// Begins the next change: `digest` gets a file with the new sequence number, or is removed where `isKept` is false.
  mutating func advance(_ digest: ItemDigest, isKept: Bool) -> Entry {
    sequence += 1
    let entry = Entry(digest: digest, sequence: sequence)
    let place = place(of: digest)
    let isThere = place < entries.count && entries[place].digest == digest
    obsolete = isThere ? entries[place] : nil
    switch (isThere, isKept) {
    case (true, true): entries[place] = entry
    case (false, true): entries.insert(entry, at: place)
    case (true, false): entries.remove(at: place)
    case (false, false): break
    }
    return entry
  }

  /// Where the digest is, or would be.
  private func place(of digest: ItemDigest) -> Int {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].digest < digest { range = middle + 1..<range.upperBound } else { range = range.lowerBound..<middle }
    }
    return range.lowerBound
  }
}

extension ItemIndex {
  func write(_ fields: inout SecretBytes) throws(FormatError) {
    try fields.put(sequence, size: 8)
    try fields.put(text: owner, limit: ItemIndex.ownerLimit)
    try fields.put(raw: salt.span)
    try fields.put(obsolete == nil ? 0 : 1)
    if let obsolete { try fields.put(obsolete) }
    try fields.put(UInt64(entries.count), size: 2)
    for entry in entries { try fields.put(entry) }
  }

  static func read(_ fields: inout ByteReader) throws(FormatError) -> ItemIndex {
    let sequence = try fields.uint64()
    // The next change adds one, which must not overflow.
    guard sequence < .max else { throw .badValue }
    let owner = try fields.text(limit: ownerLimit)
    let salt = Array(copying: try fields.bytes(saltLength))
    let obsolete = try fields.flag() ? try fields.entry(upTo: sequence) : nil
    let count = Int(try fields.uint16())
    guard count <= ItemLimit.items + 1 else { throw .tooLong }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let entry = try fields.entry(upTo: sequence)
      if let last = entries.last, last.digest >= entry.digest { throw .badValue }
      entries.append(entry)
    }
    return ItemIndex(sequence: sequence, owner: owner, salt: salt, entries: entries, obsolete: obsolete)
  }
}

extension ItemDigest {
  /// From 16 bytes, the most significant first.
  init(_ bytes: [UInt8]) {
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension SecretBytes {
  fileprivate mutating func put(_ entry: ItemIndex.Entry) throws(FormatError) {
    try put(raw: entry.digest.bytes.span)
    try put(entry.sequence, size: 8)
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func entry(upTo last: UInt64) throws(FormatError) -> ItemIndex.Entry {
    let digest = ItemDigest(high: try uint64().byteSwapped, low: try uint64().byteSwapped)
    let sequence = try uint64()
    guard sequence > 0, sequence <= last else { throw .badValue }
    return ItemIndex.Entry(digest: digest, sequence: sequence)
  }
}
