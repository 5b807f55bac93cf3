import SignetCoreFoundation
import SignetVocabulary

/// The four calls over a vault, by Apple's rules.
struct Keychain<Vault: ItemVault & ~Copyable>: ~Copyable {
  var vault: Vault

  init(_ vault: consuming Vault) { self.vault = vault }

  mutating func add(_ query: ItemQuery) throws(KeychainError) -> CFTypeRef? {
    guard let itemClass = query.itemClass, itemClass.kind != nil, !query.isOfToken else {
      throw KeychainError(errSecUnimplemented)
    }
    // Nothing goes to other devices: on Apple's systems that needs an entitlement, too.
    guard !query.isOfElsewhere else { throw KeychainError(errSecMissingEntitlement) }
    guard query.reference == nil else { throw KeychainError(errSecParam) }
    var new = KeychainItem(
      itemClass, query.attributes,
      protection: query.control?.protection ?? query.protection ?? AccessibilityText.standard)
    if let control = query.control { new.control = try control.control() }
    new.hasValue = query.value != nil
    let item = try new.item()
    try vault.add(item, query.value ?? Data())
    guard !query.returns.isEmpty else { return nil }
    guard let stored = try stored().first(where: { $0.name == item.name })?.item else {
      throw KeychainError(errSecInternalComponent)
    }
    return result([try KeychainItem.given(stored, value: query.value, query.returns)], query.limit)
  }

  mutating func copy(_ query: ItemQuery) throws(KeychainError) -> CFTypeRef? {
    guard !query.matchesNothing else { throw KeychainError(errSecItemNotFound) }
    if query.returns == .data, let name = query.exactName {
      let value = try vault.value(of: name, query.asking)
      if !value.isEmpty { return result([value as NSData], query.limit) }
    }
    var found = try stored().filter { query.matches($0.item) }
    guard !found.isEmpty else { throw KeychainError(errSecItemNotFound) }
    if query.limit == .one, query.asking != .skip { found = [found[0]] }
    var given: [AnyObject?] = []
    for (name, item) in found {
      var value: Data?
      if query.returns.contains(.data), item.hasValue {
        do throws(KeychainError) {
          value = try vault.value(of: name, mayAsk: query.asking == .allow)
        } catch {
          if query.asking == .skip, error.status == errSecInteractionNotAllowed { continue }
          throw error
        }
      } else if query.asking == .skip, !item.control.constraints.isEmpty {
        continue
      }
      given.append(try KeychainItem.given(item, value: value, query.returns))
    }
    guard !given.isEmpty else { throw KeychainError(errSecItemNotFound) }
    return result(given, query.limit)
  }

  mutating func update(_ query: ItemQuery, _ changes: ItemQuery) throws(KeychainError) {
    guard !query.matchesNothing else { throw KeychainError(errSecItemNotFound) }
    guard !changes.isOfElsewhere else { throw KeychainError(errSecMissingEntitlement) }
    guard !changes.isOfToken else { throw KeychainError(errSecUnimplemented) }
    let found = try stored().filter { query.matches($0.item) }
    guard !found.isEmpty else { throw KeychainError(errSecItemNotFound) }
    for (name, item) in found {
      let changed = try changes.applied(to: item).item()
      let value = if let new = changes.value { new } else { try vault.value(of: name, mayAsk: query.asking == .allow) }
      if changed.name == name {
        try vault.update(changed, value)
      } else {
        // First the new one: where one of that name is there, or something fails, nothing is lost.
        try vault.add(changed, value)
        try vault.delete(name)
      }
    }
  }

  mutating func delete(_ query: ItemQuery) throws(KeychainError) {
    guard !query.matchesNothing else { throw KeychainError(errSecItemNotFound) }
    if let name = query.exactName { return try vault.delete(name) }
    let found = try stored().filter { query.matches($0.item) }
    guard !found.isEmpty else { throw KeychainError(errSecItemNotFound) }
    for (name, _) in found { try vault.delete(name) }
  }

  private typealias Stored = (name: ItemName, item: KeychainItem)

  /// All passwords, in an order that is the same each time.
  private mutating func stored() throws(KeychainError) -> [Stored] {
    let rows = try vault.items()
    let order = rows.sorted {
      ($0.created, $0.item.name.service, $0.item.name.account) < ($1.created, $1.item.name.service, $1.item.name.account)
    }
    return order.compactMap { row in KeychainItem(row).map { (row.item.name, $0) } }
  }
}

extension ItemVault where Self: ~Copyable {
  /// An item that is to be left out where the owner had to be asked is not found then.
  fileprivate mutating func value(of name: ItemName, _ asking: ItemQuery.Asking) throws(KeychainError) -> Data {
    do throws(KeychainError) { return try value(of: name, mayAsk: asking == .allow) } catch {
      throw asking == .skip && error.status == errSecInteractionNotAllowed ? KeychainError(errSecItemNotFound) : error
    }
  }
}

extension ItemQuery {
  /// What becomes of an item by an update.
  fileprivate func applied(to item: KeychainItem) throws(KeychainError) -> KeychainItem {
    var changed = item
    changed.attributes.merge(attributes) { $1 }
    if let control {
      changed.control = try control.control()
      changed.protection = control.protection
    }
    if let protection { changed.protection = protection }
    if value != nil { changed.hasValue = true }
    return changed
  }
}

extension KeychainItem {
  /// What a program gets of an item: `nil` where it asked for nothing, or for a value that is not there.
  fileprivate static func given(
    _ item: KeychainItem, value: Data?, _ returns: ItemQuery.Returns
  ) throws(KeychainError) -> AnyObject? {
    let persistent = PersistentReference.data(of: try name(item.itemClass, item.attributes))
    switch returns {
    case .data: return value.map { $0 as NSData }
    case .persistentReference: return persistent.map { $0 as NSData }
    case [], .reference: return nil
    default: break
    }
    var dictionary = returns.contains(.attributes) ? item.dictionary() : [:]
    if returns.contains(.data) { dictionary["v_Data"] = value }
    if returns.contains(.persistentReference) { dictionary["v_PersistentRef"] = persistent }
    if returns.contains(.reference) { dictionary["class"] = item.itemClass.rawValue }
    return dictionary as NSDictionary
  }
}

private func result(_ given: [AnyObject?], _ limit: ItemQuery.Limit) -> CFTypeRef? {
  switch limit {
  case .one: given.first ?? nil
  case .all: given.compactMap { $0 } as NSArray
  }
}
