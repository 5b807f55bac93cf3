import SignetCoreFoundation
import SignetVocabulary

/// A program's dictionary, checked: what Apple's keychain refuses in it is refused here, with the same result.
struct ItemQuery {
  /// What it was given for; each call allows something else.
  enum Call {
    case add
    case copy
    case update
    case delete
    /// The second dictionary of an update.
    case change
  }

  enum Limit: Equatable {
    case one, all
    /// So many at most, in an array.
    case some(Int)

    /// How many items.
    var count: Int {
      switch self {
      case .one: 1
      case .all: .max
      case .some(let count): count
      }
    }
  }

  /// Which items, by whether they were stored as synchronizable.
  enum Synchronizable { case no, yes, any }

  enum Asking { case allow, fail, skip }

  struct Returns: OptionSet {
    let rawValue: Int
    static let data = Returns(rawValue: 1)
    static let attributes = Returns(rawValue: 2)
    static let reference = Returns(rawValue: 4)
    static let persistentReference = Returns(rawValue: 8)
  }

  let call: Call
  private(set) var itemClass: ItemClass?
  /// To be stored, or to be matched.
  private(set) var attributes: Attributes = [:]
  private(set) var dates: [String: Date] = [:]
  private(set) var protection: String?
  private(set) var control: SecAccessControl?
  private(set) var value: Data?
  /// A half of a key that signetd does not hold: the one to store, or to find.
  private(set) var key: SecKey?
  /// The item that a persistent reference means.
  private(set) var reference: ItemName?
  private(set) var limit: Limit
  private(set) var returns: Returns = []
  private(set) var asking = Asking.allow
  private(set) var prompt: String?
  private(set) var context: (any KeychainAuthenticationContext)?
  private(set) var ignoresCase = false
  /// `nil`: nothing is said, which means those that are not.
  private(set) var synchronizable: Synchronizable?
  private(set) var group: String?
  /// It asks for what a token would hold: nothing is here.
  private(set) var isOfToken = false

  init(_ dictionary: CFDictionary, for call: Call, of itemClass: ItemClass? = nil) throws(KeychainError) {
    self.call = call
    self.itemClass = itemClass
    // One is found where nothing is said, and all are deleted.
    limit = call == .delete ? .all : .one
    var fields = try ItemQuery.fields(dictionary)
    try takeClass(&fields)
    for (key, value) in fields.sorted(by: { $0.key < $1.key }) { try take(key, value) }
    try checkTogether()
  }

  /// A program's dictionary, in whichever of the types that stand for text its keys are.
  static func fields(_ dictionary: CFDictionary) throws(KeychainError) -> [String: Any] {
    var fields: [String: Any] = [:]
    for (key, value) in dictionary {
      guard let key = key as? String, let value = unwrapped(value) else { throw KeychainError(errSecParam) }
      fields[key] = value
    }
    return fields
  }

  private mutating func takeClass(_ fields: inout [String: Any]) throws(KeychainError) {
    if let reference = fields.removeValue(forKey: "v_PersistentRef") {
      guard let data = reference as? Data, call != .change else { throw KeychainError(errSecParam) }
      guard let name = PersistentReference.name(in: data) else { throw KeychainError(errSecItemNotFound) }
      self.reference = name
      itemClass = ItemClass(name.kind)
    }
    if let key = fields.removeValue(forKey: "v_Ref") {
      // Passwords have none.
      guard let key = key as? SecKey, call != .change else { throw KeychainError(errSecParam) }
      guard reference == nil || reference == key.held?.name else { throw KeychainError(errSecItemNotFound) }
      if key.held == nil { self.key = key }
      (reference, itemClass) = (key.held?.name ?? reference, .key)
    }
    if let text = fields.removeValue(forKey: "class") {
      guard call != .change else { throw KeychainError(errSecNoSuchAttr) }
      guard let text = text as? String else { throw KeychainError(errSecParam) }
      guard let named = ItemClass(rawValue: text) else { throw KeychainError(errSecNoSuchClass) }
      guard itemClass == nil || named == itemClass else { throw KeychainError(errSecItemNotFound) }
      itemClass = named
    }
    guard itemClass != nil else { throw KeychainError(errSecParam) }
  }

  private mutating func take(_ key: String, _ value: Any) throws(KeychainError) {
    if key == "nleg" { return _ = try ItemQuery.flag(value) }
    if key.utf8.count == 4 { return try takeAttribute(key, value) }
    switch key.first {
    case "m": try takeMatch(key, value)
    case "r": try takeReturn(key, value)
    case "u": try takeUse(key, value)
    case "v" where key == "v_Data":
      guard let data = value as? Data else { throw KeychainError(errSecParam) }
      guard data.count <= ItemLimit.value else { throw KeychainError(errSecDataTooLarge) }
      self.value = data
    default: throw KeychainError(errSecParam)
    }
  }

  private func checkTogether() throws(KeychainError) {
    if call == .add || call == .change {
      if control != nil, protection != nil { throw KeychainError(errSecParam) }
      // What stays on this device is not synchronizable, and what only its owner's finger opens is not either.
      let isBound = control != nil || protection.map(AccessibilityText.thisDeviceOnly.contains) == true
      if synchronizable == .yes, isBound { throw KeychainError(errSecParam) }
    }
    if asking == .skip, call != .copy { throw KeychainError(errSecParam) }
  }
}

extension ItemQuery {
  private mutating func takeAttribute(_ key: String, _ value: Any) throws(KeychainError) {
    switch key {
    case "pdmn":
      guard let text = value as? String, AccessibilityText.all.contains(text) else { throw KeychainError(errSecParam) }
      protection = text
    case "accc":
      guard let control = value as? SecAccessControl else { throw KeychainError(errSecParam) }
      self.control = control
    case "sync": try takeSynchronizable(value)
    case "agrp":
      guard let group = value as? String else { throw KeychainError(errSecParam) }
      self.group = group.isEmpty ? nil : group
    case "vwht": guard value is String else { throw KeychainError(errSecParam) }
    case "tkid":
      guard itemClass == .key, value as? String == KeychainItem.token else { return isOfToken = true }
      attributes[key] = .text(KeychainItem.token)
    case "acls": throw KeychainError(errSecUnimplemented)
    case "cdat", "mdat":
      guard let date = value as? Date else { throw KeychainError(errSecParam) }
      dates[key] = date
    default:
      guard itemClass?.attributes.contains(key) == true else { throw KeychainError(errSecNoSuchAttr) }
      guard let value = AttributeValue(value) else { throw KeychainError(errSecParam) }
      attributes[key] = value
    }
  }

  private mutating func takeSynchronizable(_ value: Any) throws(KeychainError) {
    if value as? String == "syna" {
      guard call != .add, call != .change else { throw KeychainError(errSecParam) }
      synchronizable = .any
      return
    }
    guard let flag = value as? NSNumber else { throw KeychainError(errSecParam) }
    synchronizable = flag.boolValue ? .yes : .no
  }

  private mutating func takeMatch(_ key: String, _ value: Any) throws(KeychainError) {
    switch call {
    // A limit in a deletion is macOS's; code for both systems has it wherever it is not on iOS.
    case .delete where key == "m_Limit": break
    case .update, .delete: throw KeychainError(errSecParam)
    case .change: throw KeychainError(errSecNoSuchAttr)
    case .add, .copy: break
    }
    switch key {
    case "m_Limit": limit = try ItemQuery.limit(value)
    case "m_CaseInsensitive": ignoresCase = try ItemQuery.flag(value)
    // Conditions of certificates: no password meets them, and none is given out as if it did.
    default: throw KeychainError(itemClass?.isPassword == true ? errSecParam : errSecItemNotFound)
    }
  }

  private static func limit(_ value: Any) throws(KeychainError) -> Limit {
    switch value as? String {
    case "m_LimitOne": return .one
    case "m_LimitAll": return .all
    default:
      guard AttributeValue.flag(value) == nil, let number = value as? NSNumber, number.intValue >= 1 else {
        throw KeychainError(errSecParam)
      }
      return number.intValue == 1 ? .one : .some(number.intValue)
    }
  }

  private mutating func takeReturn(_ key: String, _ value: Any) throws(KeychainError) {
    let kinds: [String: Returns] = [
      "r_Data": .data, "r_Attributes": .attributes, "r_Ref": .reference, "r_PersistentRef": .persistentReference,
    ]
    guard call != .change else { throw KeychainError(errSecNoSuchAttr) }
    guard let kind = kinds[key] else { throw KeychainError(errSecParam) }
    guard try ItemQuery.flag(value) else { return }
    if call == .update { throw KeychainError(errSecParam) }
    returns.insert(kind)
  }

  private mutating func takeUse(_ key: String, _ value: Any) throws(KeychainError) {
    switch key {
    case "u_OpPrompt":
      guard let text = value as? String else { throw KeychainError(errSecParam) }
      prompt = text
    case "u_NoAuthUI": if try ItemQuery.flag(value) { asking = .fail }
    case "u_AuthUI":
      switch value as? String {
      case "u_AuthUIA": asking = .allow
      case "u_AuthUIF": asking = .fail
      case "u_AuthUIS": asking = .skip
      default: throw KeychainError(errSecParam)
      }
    case "u_AuthCtx":
      guard let context = value as? any KeychainAuthenticationContext else { throw KeychainError(errSecParam) }
      self.context = context
    case "u_ItemList", "u_Keychain": throw KeychainError(errSecUnimplemented)
    default: throw KeychainError(errSecParam)
    }
  }

  private static func flag(_ value: Any) throws(KeychainError) -> Bool {
    guard let flag = AttributeValue.flag(value) else { throw KeychainError(errSecParam) }
    return flag
  }
}
