import SignetBytes
import SignetCoreFoundation
import SignetVocabulary
import SignetWire

// A key that signetd holds is an item of the vault. Its service is the application tag, escaped as the parts of an internet password's
// name are, and its account a number by chance, for there may be several keys of one tag. The keys of other programs, `signet key` among
// them, have the names that those gave them, and are found by who names their access group.

/// A private half that signetd holds, as this program found it or had it made.
struct HeldKey {
  let item: KeychainItem
  let name: ItemName
  let point: [UInt8]
  private let calls: CallContext

  /// `nil`: it is no key.
  init?(_ item: KeychainItem, _ calls: CallContext) {
    guard let key = item.key else { return nil }
    (self.item, name, point, self.calls) = (item, key.name, key.attributes, calls)
  }

  /// r and s of the signature of a number of 32 bytes. Blocks while the owner is asked.
  func sign(_ number: [UInt8]) throws(KeychainError) -> [UInt8] {
    try calls.make { (keychain) throws(KeychainError) in try keychain.vault.sign(number, with: name, mayAsk: true) }
  }

  /// x of what it and another's point agree on. Blocks while the owner is asked.
  func agree(with point: [UInt8]) throws(KeychainError) -> P256.PrivateNumber {
    try calls.make { (keychain) throws(KeychainError) in try keychain.vault.agree(with: point, by: name, mayAsk: true) }
  }
}

extension Keychain where Vault: ~Copyable {
  /// Has signetd make the key that the query describes.
  mutating func makeKey(_ query: ItemQuery) throws(KeychainError) -> HeldKey {
    var item = try query.newKey()
    item.attributes = try vault.makeKey(item)
    let now = UInt64(Date().timeIntervalSince1970)
    let row = ItemRow(item: item, created: now, modified: now, isOfCurrentSet: true)
    guard let key = KeychainItem(row).flatMap({ HeldKey($0, query.calls) }) else { throw KeychainError(errSecInternalComponent) }
    return key
  }
}

extension ItemQuery {
  /// As the vault is to keep it; `errSecDataTooLarge` where a text is too long.
  fileprivate func newKey() throws(KeychainError) -> Item {
    try checkOwnGroup()
    guard let accessibility = AccessibilityText.accessibility(of: control?.protection ?? protection ?? AccessibilityText.standard)
    else {
      throw KeychainError(errSecParam)
    }
    let account = "SecKey-" + Array(littleEndian: UInt64.random(in: .min ... .max), size: 8).hexadecimal
    let name = ItemName(kind: .key, service: InternetName.escaped(attributes["atag"]?.bytes ?? []), account: account)
    let label = String(decoding: attributes["labl"]?.bytes ?? [], as: UTF8.self)
    let item = Item(
      name, label: label, accessControl: try control?.control(ofKey: true) ?? AccessControl(), accessibility: accessibility)
    guard item.isValid else { throw KeychainError(errSecDataTooLarge) }
    return item
  }
}

extension KeychainItem {
  /// The value of `kSecAttrTokenIDSecureEnclave`, as which signetd holds all its keys.
  static let token = "com.apple.setoken"

  enum KeyHalf { case publicHalf, privateInMemory, privateHeld }

  /// What all such halves have in common.
  static func attributes(ofKey half: KeyHalf) -> Attributes {
    [
      "kcls": .text(half == .publicHalf ? "0" : "1"), "type": .text("73"), "bsiz": .number(256), "esiz": .number(256),
      "perm": .flag(half == .privateHeld), "sens": .flag(half == .privateHeld), "extr": .flag(half != .privateHeld),
      "sign": .flag(half != .publicHalf), "vrfy": .flag(half == .publicHalf), "drve": .flag(half != .publicHalf),
      "encr": .flag(half == .publicHalf), "decr": .flag(half != .publicHalf), "wrap": .flag(false), "unwp": .flag(false),
    ]
  }

  static func attributes(ofKey item: Item) -> Attributes {
    var attributes = attributes(ofKey: .privateHeld)
    attributes["tkid"] = .text(token)
    return attributes.merging(texts(ofKey: item)) { $1 }
  }

  /// What a program calls a key: its tag, and its label.
  static func texts(ofKey item: Item) -> Attributes {
    var texts: Attributes = ["atag": .data(InternetName.unescaped(item.name.service[...]) ?? Array(item.name.service.utf8))]
    if !item.label.isEmpty { texts["labl"] = .text(item.label) }
    return texts
  }

  /// `kSecAttrApplicationLabel` is SHA-1 of a key's point, as on Apple's systems; `nil` where there is no libcrypto.
  static func label(ofPoint point: [UInt8]) -> AttributeValue? { (try? P256.hash(Data(point), 20)).map { .data($0) } }

  /// What is no work for keys that nobody asks it of is done when it is asked.
  func attribute(_ name: String) -> AttributeValue? {
    if name == "klbl", attributes[name] == nil, let point = key?.attributes ?? half?.point {
      return KeychainItem.label(ofPoint: point)
    }
    return attributes[name]
  }
}
