import CSodium
import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// What every sealed part of an item's file is bound to: which file it is, and what has to be proved for the item.
struct ItemHeader: Equatable, Sendable {
  /// Of the attributes' form.
  enum Version: UInt8, Sendable {
    /// Without attributes of the clients' and without programs. It is read, and not written any more.
    case first = 1
    case second = 2
    /// The same of a key that is in the TPM: the value is what the TPM is given to sign with it. A Signet of before refuses the file, and
    /// does not take that for a private number.
    case keyOfTPM = 3
  }

  let version: Version
  let uid: UInt32
  let entry: ItemIndex.Entry
  let accessibility: Accessibility
  let accessControl: AccessControl

  static let length = FileHeader.length + 11

  enum Part: UInt8 {
    case attributes = 1
    case plainWrap = 2
    case setWrap = 3
    case value = 4
  }

  var bytes: [UInt8] { FileHeader("SGit", version: version.rawValue, uid: uid).bytes + fields(entry.sequence) }

  private func fields(_ sequence: UInt64) -> [UInt8] {
    Array(littleEndian: sequence, size: 8)
      + [accessibility.rawValue, accessControl.constraints.rawValue, accessControl.connective.rawValue]
  }

  /// What the attributes are bound to.
  var attributesContext: SealContext { context(.attributes, version, entry.sequence) }

  /// What another part is bound to. `sequence`: of the change that sealed the value, which is earlier than the file's own where
  /// only programs were changed since.
  func context(_ part: Part, sealedBy sequence: UInt64) -> SealContext { context(part, .first, sequence) }

  private func context(_ part: Part, _ version: Version, _ sequence: UInt64) -> SealContext {
    SealContext(
      "SGit", version: version.rawValue, uid: uid, name: [part.rawValue] + entry.digest.bytes + fields(sequence))
  }

  init(_ item: Item, isInTPM: Bool, entry: ItemIndex.Entry, uid: UInt32) {
    self.init(
      version: isInTPM ? .keyOfTPM : .second, uid: uid, entry: entry, accessibility: item.accessibility,
      accessControl: item.accessControl)
  }

  /// The header of the file that comes after this one and holds the same value.
  func followed(by entry: ItemIndex.Entry) -> ItemHeader {
    ItemHeader(
      version: version == .keyOfTPM ? .keyOfTPM : .second, uid: uid, entry: entry, accessibility: accessibility,
      accessControl: accessControl)
  }

  private init(
    version: Version, uid: UInt32, entry: ItemIndex.Entry, accessibility: Accessibility, accessControl: AccessControl
  ) {
    self.version = version
    self.uid = uid
    self.entry = entry
    self.accessibility = accessibility
    self.accessControl = accessControl
  }

  /// Reads the first bytes of the file that should be this user's and this item's. Fails where they say otherwise.
  init(_ reader: inout ByteReader, uid: UInt32, digest: ItemDigest) throws(FormatError) {
    let found = Array(copying: try reader.bytes(FileHeader.length))
    guard let version = Version(rawValue: found[FileHeader.versionIndex]),
      found == FileHeader("SGit", version: version.rawValue, uid: uid).bytes
    else { throw .badValue }
    let sequence = try reader.uint64()
    guard let accessibility = Accessibility(rawValue: try reader.byte()) else { throw .badValue }
    let constraints = AccessControl.Constraints(rawValue: try reader.byte())
    guard constraints.isSubset(of: .known), let connective = AccessControl.Connective(rawValue: try reader.byte()) else {
      throw .badValue
    }
    self.init(
      version: version, uid: uid, entry: ItemIndex.Entry(digest: digest, sequence: sequence), accessibility: accessibility,
      accessControl: AccessControl(constraints, connective))
  }
}

/// An item's file: what is known without opening it, and the sealed parts.
struct ItemFile: Sendable {
  let header: ItemHeader
  let attributes: Attributes
  /// What follows the attributes: one or two wrapped copies of the item's key, as the access control asks, then the value.
  private let seals: ArraySlice<UInt8>

  static let wrapLength = SealingKey.length + SealingKey.overhead
  /// The longest attributes, sealed.
  static let attributesLimit =
    1 + 2 * (2 + ItemLimit.name) + 2 * (2 + ItemLimit.text) + 3 * 8 + sealsDigestLength
    + (2 + ItemLimit.attributes) + 1 + (1 + ItemLimit.others) * (2 + ItemLimit.program) + 8
  static let limit =
    ItemHeader.length + 2 + attributesLimit + SealingKey.overhead + 2 * wrapLength + ItemLimit.value + SealingKey.overhead
  static let sealsDigestLength = 32

  /// What is sealed under the device key.
  struct Attributes: Equatable, Sendable {
    var name: ItemName
    var label: String
    var comment: String
    var created: UInt64
    var modified: UInt64
    /// The generation of the finger set that the item is bound to; 0 where it is bound to none.
    var set: UInt64
    /// BLAKE2b of all that follows the attributes, so that damage there is found without the user key.
    var sealsDigest: [UInt8]
    /// The clients' own (`Item.attributes`).
    var ofClients: [UInt8] = []
    var programs = ItemPrograms()
    /// The number of the change that sealed the value and the item's key.
    var valueSequence: UInt64 = 0
  }

  var item: Item {
    Item(
      attributes.name, label: attributes.label, comment: attributes.comment, accessControl: header.accessControl,
      accessibility: header.accessibility, attributes: attributes.ofClients)
  }

  /// The item's wrapped key: the copy that needs the current finger set, or the one that does not.
  func wrap(_ part: ItemHeader.Part) -> ArraySlice<UInt8> {
    let start = seals.startIndex + (part == .setWrap && header.accessControl.hasPlainWrap ? ItemFile.wrapLength : 0)
    return seals[start..<start + ItemFile.wrapLength]
  }

  var sealedValue: ArraySlice<UInt8> { seals.dropFirst(ItemFile.wrapsLength(header.accessControl)) }

  private static func wrapsLength(_ control: AccessControl) -> Int {
    ((control.hasPlainWrap ? 1 : 0) + (control.hasSetWrap ? 1 : 0)) * wrapLength
  }
}

// MARK: - writing

extension ItemFile {
  /// The keys that an item's own key is wrapped under.
  struct WrappingKeys: ~Copyable {
    var plain: SealingKey
    var set: SealingKey?
    /// The generation of the finger set that `set` is made from.
    var generation: UInt64
  }

  /// Makes a file's contents, with a new key for the item.
  static func seal(
    _ header: ItemHeader, _ attributes: Attributes, value: borrowing SecretBytes, wrappedUnder keys: borrowing WrappingKeys,
    under deviceKey: any DeviceKey
  ) throws(VaultError) -> [UInt8] {
    guard let key = SealingKey(random: ()) else { throw .exhausted }
    func context(_ part: ItemHeader.Part) -> SealContext { header.context(part, sealedBy: header.entry.sequence) }
    var seals: [UInt8] = []
    if header.accessControl.hasPlainWrap {
      guard let wrap = keys.plain.seal(key.secret.span, for: context(.plainWrap)) else { throw .exhausted }
      seals += wrap
    }
    if header.accessControl.hasSetWrap {
      guard let wrap = ItemFile.seal(key.secret, keys.set, context(.setWrap)) else { throw .exhausted }
      seals += wrap
    }
    guard let value = key.seal(value.span, for: context(.value)) else { throw .exhausted }
    seals += value
    var attributes = attributes
    attributes.set = header.accessControl.hasSetWrap ? keys.generation : 0
    attributes.sealsDigest = digest(seals.span)
    attributes.valueSequence = header.entry.sequence
    return try header.bytes + attributes.sealed(for: header, under: deviceKey) + seals
  }

  /// The contents of the file that comes after this one, with the same value and other programs. It takes no user key.
  func followed(
    by entry: ItemIndex.Entry, programs: ItemPrograms, under deviceKey: any DeviceKey
  ) throws(VaultError) -> [UInt8] {
    let header = header.followed(by: entry)
    var attributes = attributes
    attributes.programs = programs
    return try header.bytes + attributes.sealed(for: header, under: deviceKey) + seals
  }

  private static func seal(_ secret: borrowing SecretBytes, _ key: borrowing SealingKey?, _ context: SealContext) -> [UInt8]? {
    switch key {
    case .some(let key): key.seal(secret.span, for: context)
    case .none: nil
    }
  }

  private static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: sealsDigestLength)
    unsafe bytes.withUnsafeBufferPointer { input in
      // It only fails for lengths that are out of its range, and this length is not.
      _ = unsafe crypto_generichash(&digest, digest.count, input.baseAddress, UInt64(input.count), nil, 0)
    }
    return digest
  }
}

// MARK: - reading

extension ItemFile {
  /// Reads the file of this item. It may be an older copy: the caller compares its sequence number with the index.
  init(
    _ bytes: [UInt8], uid: UInt32, digest: ItemDigest, under deviceKey: any DeviceKey, at path: String
  ) throws(VaultError) {
    var reader = ByteReader(bytes.span)
    let header: ItemHeader
    let plain: SecretBytes
    do throws(FormatError) {
      header = try ItemHeader(&reader, uid: uid, digest: digest)
      let sealed = try reader.string(limit: ItemFile.attributesLimit + SealingKey.overhead)
      do throws(VaultError) {
        plain = try SealedRecord.open(sealed, header.attributesContext, deviceKey, path)
      } catch {
        throw FormatError.badValue
      }
    } catch {
      throw .damaged(path)
    }
    do throws(FormatError) {
      attributes = try SealedRecord.read(plain) { fields throws(FormatError) in
        try Attributes.read(&fields, header)
      }
    } catch {
      throw .damaged(path)
    }
    self.header = header
    seals = bytes.dropFirst(ItemHeader.length + 2 + plain.count + SealingKey.overhead)
    let valueLength = seals.count - ItemFile.wrapsLength(header.accessControl) - SealingKey.overhead
    guard header.version != .keyOfTPM || attributes.name.kind == .key,
      ItemFile.digest(seals.span) == attributes.sealsDigest, (0...ItemLimit.value).contains(valueLength), item.isValid,
      attributes.programs.isValid, (1...header.entry.sequence).contains(attributes.valueSequence)
    else { throw .damaged(path) }
  }

  /// Opens the value by unwrapping the item's key first; `nil` where it was wrapped under another key.
  func open(_ part: ItemHeader.Part, under wrappingKey: borrowing SealingKey) -> SecretBytes? {
    guard let secret = wrappingKey.open(wrap(part).span, for: context(part)), let key = SealingKey(secret) else {
      return nil
    }
    return key.open(sealedValue.span, for: context(.value))
  }

  /// What a part behind the attributes is bound to.
  func context(_ part: ItemHeader.Part) -> SealContext { header.context(part, sealedBy: attributes.valueSequence) }
}

extension ItemFile.Attributes {
  func sealed(for header: ItemHeader, under deviceKey: any DeviceKey) throws(VaultError) -> [UInt8] {
    guard var plain = SecretBytes(capacity: ItemFile.attributesLimit) else { throw .exhausted }
    do throws(FormatError) { try write(&plain, header.version) } catch { throw .badItem }
    do throws(SealingError) {
      let sealed = try deviceKey.seal(plain.span, for: header.attributesContext)
      return Array(littleEndian: sealed.count, size: 2) + sealed
    } catch {
      throw .exhausted
    }
  }

  private func write(_ fields: inout SecretBytes, _ version: ItemHeader.Version) throws(FormatError) {
    try fields.put(name.kind.rawValue)
    for text in [name.service, name.account] { try fields.put(text: text, limit: ItemLimit.name) }
    for text in [label, comment] { try fields.put(text: text, limit: ItemLimit.text) }
    for number in [created, modified, set] { try fields.put(number, size: 8) }
    try fields.put(raw: sealsDigest.span)
    if version == .first { return }
    try fields.put(ofClients.span, limit: ItemLimit.attributes)
    try fields.put(text: programs.creator, limit: ItemLimit.program)
    guard programs.isValid else { throw .badValue }
    try fields.put(UInt8(programs.others.count))
    for program in programs.others { try fields.put(text: program, limit: ItemLimit.program) }
    try fields.put(valueSequence, size: 8)
  }

  static func read(_ fields: inout ByteReader, _ header: ItemHeader) throws(FormatError) -> ItemFile.Attributes {
    guard let kind = ItemName.Kind(rawValue: try fields.byte()) else { throw .badValue }
    let service = try fields.text(limit: ItemLimit.name)
    let account = try fields.text(limit: ItemLimit.name)
    let label = try fields.text(limit: ItemLimit.text)
    let comment = try fields.text(limit: ItemLimit.text)
    var attributes = ItemFile.Attributes(
      name: ItemName(kind: kind, service: service, account: account), label: label, comment: comment,
      created: try fields.uint64(), modified: try fields.uint64(), set: try fields.uint64(),
      sealsDigest: Array(copying: try fields.bytes(ItemFile.sealsDigestLength)))
    attributes.valueSequence = header.entry.sequence
    if header.version != .first { try attributes.readRest(&fields) }
    return attributes
  }

  private mutating func readRest(_ fields: inout ByteReader) throws(FormatError) {
    ofClients = Array(copying: try fields.string(limit: ItemLimit.attributes))
    programs.creator = try fields.text(limit: ItemLimit.program)
    let count = Int(try fields.byte())
    guard count <= ItemLimit.others else { throw .tooLong }
    for _ in 0..<count { programs.others.append(try fields.text(limit: ItemLimit.program)) }
    valueSequence = try fields.uint64()
  }
}
