import SignetBytes
import SignetCoreFoundation
import SignetVocabulary

// A half of a key that a program gives the keychain is an item of the vault, whose value are its bytes as `SecKeyCopyExternalRepresentation`
// has them. Its service is the application tag, and its account says which half it is, and the application label, or without one the public
// point: there is one of each half, label and tag. Both are escaped as the parts of an internet password's name are.

/// What such an item says of itself.
struct StoredHalf: Equatable {
  let isPrivate: Bool
  let point: [UInt8]

  /// The attribute that has the point, which no program sees.
  private static let pointKey = "-pnt"

  init(_ key: SecKey) { (isPrivate, point) = (key.isPrivate, key.point) }

  /// `nil`: it is no half.
  init?(_ item: Item) {
    guard case .data(let point)? = AttributeEncoding.decode(item.attributes)?[StoredHalf.pointKey],
      point.count == P256.pointLength
    else { return nil }
    (isPrivate, self.point) = (item.name.account.hasPrefix("1-"), point)
  }

  /// `label`: that which a program chose.
  func account(_ label: AttributeValue?) -> String {
    "\(isPrivate ? 1 : 0)-\(InternetName.escaped(label?.bytes ?? Array(point.hexadecimal.utf8)))"
  }

  var attributes: Attributes {
    KeychainItem.attributes(ofKey: isPrivate ? .privateInMemory : .publicHalf).merging([
      "perm": .flag(true), StoredHalf.pointKey: .data(point),
    ]) { $1 }
  }
}

extension SecKey {
  /// A half from its bytes, which lies in this process. `kind`: what the program says of it.
  convenience init(_ bytes: Data, _ kind: Attributes) throws(KeychainError) {
    switch kind["kcls"]?.bytes {
    case Array("0".utf8): try self.init(publicHalf: bytes)
    case Array("1".utf8): try self.init(privateHalf: bytes)
    default: throw KeychainError(errSecParam, "kSecAttrKeyClass says neither public nor private.")
    }
  }

  private convenience init(publicHalf bytes: Data) throws(KeychainError) {
    let point = Array(bytes.prefix(P256.pointLength + 1))
    guard try P256.isPoint(point) else { throw KeychainError(errSecParam, "These bytes are no point of P-256: 4, x and y.") }
    self.init(.publicHalf, point)
  }

  convenience init(privateHalf bytes: Data) throws(KeychainError) {
    let wrong = KeychainError(errSecParam, "These bytes are no private key of P-256 as X9.63 has it: 4, x, y and the number.")
    guard bytes.count == P256.pointLength + P256.length else { throw wrong }
    let (number, point) = try P256.imported(bytes.suffix(P256.length).span)
    guard point == Array(bytes.prefix(P256.pointLength)) else { throw wrong }
    self.init(.inMemory(number), point)
  }

  /// Its bytes; `nil` of a private half that signetd holds.
  var bytes: Data? {
    switch half {
    case .publicHalf: Data(point)
    case .inMemory(let number): Data(point) + number.data
    case .held: nil
    }
  }
}

extension ItemQuery {
  /// What programs say of a key of elliptic curves, as far as it is for ECDSA over P-256; all else is `errSecUnimplemented`.
  func checkKind() throws(KeychainError) {
    guard attributes["type"].map({ $0.bytes == Array("73".utf8) }) != false,
      attributes["bsiz"].map({ $0.bytes == Array("256".utf8) }) != false
    else { throw KeychainError(errSecUnimplemented, "The keys here are for elliptic curves, of 256 bits (P-256).") }
  }

  /// The half of a key that a program gives, itself or as its bytes; `nil`: it gives none.
  fileprivate func givenHalf() throws(KeychainError) -> SecKey? {
    guard itemClass == .key, reference == nil else { return nil }
    if let key { return key }
    guard let value else { return nil }
    guard attributes["type"] != nil else { throw KeychainError(errSecParam, "kSecAttrKeyType is missing.") }
    return try SecKey(value, attributes)
  }
}

extension Keychain where Vault: ~Copyable {
  /// Stores the half of a key that a program gives; `nil` where it gives none.
  mutating func addHalf(_ query: ItemQuery) throws(KeychainError) -> Item? {
    try query.checkKind()
    guard !query.isOfToken, query.attributes["tkid"] == nil, query.synchronizable != .yes, let key = try query.givenHalf(),
      let bytes = key.bytes
    else { return nil }
    try query.checkOwnGroup()
    var new = KeychainItem(
      StoredHalf(key), query.attributes, protection: query.control?.protection ?? query.protection ?? AccessibilityText.standard)
    if let control = query.control { new.control = try control.control(ofKey: true) }
    new.storedAt = now()
    let item = try new.item()
    try vault.add(item, bytes)
    return item
  }
}

extension KeychainItem {
  /// As it is to be stored: of what the program says, tag and labels.
  init(_ half: StoredHalf, _ said: Attributes, protection: String) {
    self.init(.key, half.attributes, protection: protection)
    for key in ["atag", "labl", "klbl"] { attributes[key] = said[key] }
    self.half = half
  }
}
