import SignetBytes
import SignetCoreFoundation
import SignetVocabulary
import SignetWire

/// A password or a key as a program sees it, without its value.
struct KeychainItem {
  let itemClass: ItemClass
  /// All that is kept of it: what a program gave, in the type in which it gave it.
  var attributes: Attributes
  /// The text of a `kSecAttrAccessible` value.
  var protection: String
  var control = AccessControl()
  var isSynchronizable = false
  /// The program that stored it.
  private(set) var group = AccessGroup.own
  /// Since 1970; `nil` of one that is not stored yet.
  private(set) var created: Date?
  private(set) var modified: Date?
  /// A key as the vault has it: its attributes are its public point.
  private(set) var key: Item?
  /// A half of a key that a program gave.
  var half: StoredHalf?

  /// An item without a value is told from one with an empty value by this, which no program sees.
  private static let withoutValue = "-dat"
  var hasValue: Bool {
    get { attributes[KeychainItem.withoutValue] == nil }
    set { attributes[KeychainItem.withoutValue] = newValue ? nil : .flag(true) }
  }

  /// When it was stored, in nanoseconds since 1970, which no program sees either: items are given in this order, and the vault's
  /// own times are whole seconds.
  private static let storingTime = "-tim"
  var storedAt: Int64 {
    get {
      if case .number(let time) = attributes[KeychainItem.storingTime] { return time }
      return Int64((created?.timeIntervalSince1970 ?? 0) * 1e9)
    }
    set { attributes[KeychainItem.storingTime] = .number(newValue) }
  }

  init(_ itemClass: ItemClass, _ attributes: Attributes, protection: String) {
    (self.itemClass, self.attributes, self.protection) = (itemClass, attributes, protection)
  }
}

extension KeychainItem {
  /// What the vault calls an item with these attributes. `errSecDataTooLarge` where that is too long.
  static func name(
    _ itemClass: ItemClass, _ attributes: Attributes, isSynchronizable: Bool
  ) throws(KeychainError) -> ItemName {
    guard let kind = itemClass.kind(isSynchronizable: isSynchronizable) else { throw KeychainError(errSecUnimplemented) }
    let service =
      itemClass == .internetPassword ? InternetName.service(of: attributes) : attributes["svce"].map(text) ?? ""
    let name = ItemName(kind: kind, service: service, account: attributes["acct"].map(text) ?? "")
    guard name.isValid else { throw KeychainError(errSecDataTooLarge) }
    return name
  }

  func name() throws(KeychainError) -> ItemName {
    if let key { return key.name }
    if let half {
      let service = InternetName.escaped(attributes["atag"]?.bytes ?? [])
      let name = ItemName(kind: .programKey, service: service, account: half.account(attributes["klbl"]))
      guard name.isValid else { throw KeychainError(errSecDataTooLarge) }
      return name
    }
    return try KeychainItem.name(itemClass, attributes, isSynchronizable: isSynchronizable)
  }

  /// Names are texts: other data stands as its digits.
  private static func text(_ value: AttributeValue) -> String {
    let bytes = value.bytes
    return String(validating: bytes, as: UTF8.self) ?? "0x" + bytes.hexadecimal
  }

  /// As the vault keeps it.
  func item() throws(KeychainError) -> Item {
    guard let accessibility = AccessibilityText.accessibility(of: protection) else { throw KeychainError(errSecParam) }
    let name = try name()
    // What a key is, its name says.
    var rest = half == nil ? attributes : attributes.filter { $0.key.hasPrefix("-") || ["labl", "klbl"].contains($0.key) }
    if protection != AccessibilityText.text(of: accessibility) { rest["pdmn"] = .text(protection) }
    // What the vault has a place of its own for.
    for key in itemClass.name { if case .text = rest[key] { rest[key] = nil } }
    if case .number = rest["port"] { rest["port"] = nil }
    let item = Item(
      name, label: KeychainItem.take("labl", &rest), comment: KeychainItem.take("icmt", &rest), accessControl: control,
      accessibility: accessibility, attributes: AttributeEncoding.encode(rest))
    guard item.isValid else { throw KeychainError(errSecDataTooLarge) }
    return item
  }

  private static func take(_ key: String, _ attributes: inout Attributes) -> String {
    guard case .text(let text) = attributes[key] else { return "" }
    attributes[key] = nil
    return text
  }

  /// As it is stored; `nil` for what is no password of a program's, and no key.
  init?(_ row: ItemRow) {
    let item = row.item
    guard let itemClass = ItemClass(item.name.kind) else { return nil }
    if item.name.kind == .programKey {
      guard let half = StoredHalf(item) else { return nil }
      self.init(itemClass, half.attributes, protection: AccessibilityText.text(of: item.accessibility))
      attributes.merge(KeychainItem.texts(ofKey: item)) { $1 }
      attributes.merge(AttributeEncoding.decode(item.attributes) ?? [:]) { $1 }
      if case .text(let text) = attributes.removeValue(forKey: "pdmn") { protection = text }
      self.half = half
      take(row)
      return
    }
    guard itemClass.isPassword else {
      self.init(itemClass, KeychainItem.attributes(ofKey: item), protection: AccessibilityText.ofKey(item.accessibility))
      (key, hasValue) = (item, false)
      take(row)
      return
    }
    var named: Attributes = ["acct": .text(item.name.account)]
    if itemClass == .internetPassword {
      guard let place = InternetName.attributes(of: item.name.service) else { return nil }
      named.merge(place) { $1 }
    } else {
      named["svce"] = .text(item.name.service)
    }
    if !item.label.isEmpty { named["labl"] = .text(item.label) }
    if !item.comment.isEmpty { named["icmt"] = .text(item.comment) }
    // What is no name in another type than text stands in both places.
    var attributes = (AttributeEncoding.decode(item.attributes) ?? [:]).merging(named) { kept, _ in kept }
    var protection = AccessibilityText.text(of: item.accessibility)
    if case .text(let text) = attributes.removeValue(forKey: "pdmn"),
      AccessibilityText.accessibility(of: text) == item.accessibility
    {
      protection = text
    }
    self.init(itemClass, attributes, protection: protection)
    isSynchronizable = item.name.kind.isSynchronizable
    take(row)
  }

  private mutating func take(_ row: ItemRow) {
    control = row.item.accessControl
    group = AccessGroup.name(of: row.creator)
    created = Date(timeIntervalSince1970: TimeInterval(row.created))
    modified = Date(timeIntervalSince1970: TimeInterval(row.modified))
  }

  /// For a program, which sees no attribute that it could not have given.
  func dictionary() -> [String: Any] {
    var dictionary: [String: Any] = attributes.filter { itemClass.attributes.contains($0.key) }.mapValues(\.object)
    dictionary["pdmn"] = protection
    dictionary["accc"] = SecAccessControl(protection: protection, control, ofKey: itemClass == .key)
    if let label = attribute("klbl") { dictionary["klbl"] = label.object }
    dictionary["sync"] = isSynchronizable
    dictionary["agrp"] = group
    dictionary["cdat"] = created
    dictionary["mdat"] = modified
    return dictionary
  }
}
