import SignetCoreFoundation
import SignetVocabulary

/// The four calls over a vault, by Apple's rules.
struct Keychain<Vault: ItemVault & ~Copyable>: ~Copyable {
  var vault: Vault

  init(_ vault: consuming Vault) { self.vault = vault }

  mutating func add(_ query: ItemQuery) throws(KeychainError) -> CFTypeRef? {
    if query.itemClass == .key, let half = try addHalf(query) { return try what(query, wantsOf: half) }
    guard let itemClass = query.itemClass, itemClass.isPassword, !query.isOfToken else {
      throw try refusal(of: query.reference)
    }
    try query.checkOwnGroup()
    guard query.reference == nil else { throw KeychainError(errSecParam) }
    var new = KeychainItem(
      itemClass, query.attributes,
      protection: query.control?.protection ?? query.protection ?? AccessibilityText.standard)
    if let control = query.control { new.control = try control.control() }
    new.isSynchronizable = query.synchronizable == .yes
    new.hasValue = query.value != nil
    new.storedAt = now()
    let item = try new.item()
    try vault.add(item, query.value ?? Data())
    return try what(query, wantsOf: item)
  }

  private mutating func what(_ query: ItemQuery, wantsOf item: Item) throws(KeychainError) -> CFTypeRef? {
    guard !query.returns.isEmpty else { return nil }
    guard let stored = try stored().first(where: { $0.name == item.name })?.item else {
      throw KeychainError(errSecInternalComponent)
    }
    let value = query.key?.bytes ?? query.value
    return result([try KeychainItem.given(stored, value: value, query.returns, query.calls)], query.limit)
  }

  /// What comes of the adding of a key: one that is in the vault was made there.
  private mutating func refusal(of key: ItemName?) throws(KeychainError) -> KeychainError {
    guard let key, try stored().contains(where: { $0.name == key }) else { return KeychainError(errSecUnimplemented) }
    return KeychainError(errSecDuplicateItem)
  }

  mutating func copy(_ query: ItemQuery) throws(KeychainError) -> CFTypeRef? {
    guard !query.matchesNothing else { throw KeychainError(errSecItemNotFound) }
    if query.returns == .data, let name = query.exactName {
      let value = try vault.value(of: name, query.asking)
      if !value.isEmpty { return result([value as NSData], query.limit) }
    }
    var found = try found(query)
    if query.asking != .skip { found = Array(found.prefix(query.limit.count)) }
    var given: [AnyObject?] = []
    for (name, item) in found where given.count < query.limit.count {
      // Whoever wants a key's value must not take its absence for an empty one.
      guard item.key == nil || !query.returns.contains(.data) else { throw KeychainError(errSecUnimplemented) }
      var value: Data?
      if item.hasValue, item.isRead(for: query.returns) {
        do throws(KeychainError) {
          value = try vault.value(of: name, mayAsk: query.asking == .allow)
        } catch {
          if query.asking == .skip, error.status == errSecInteractionNotAllowed { continue }
          throw error
        }
      } else if query.asking == .skip, !item.control.constraints.isEmpty {
        continue
      }
      given.append(try KeychainItem.given(item, value: value, query.returns, query.calls))
    }
    guard !given.isEmpty else { throw KeychainError(errSecItemNotFound) }
    return result(given, query.limit)
  }

  /// Changes all or none. What would keep one from being changed is looked for first; where it comes about only later, what was
  /// changed is changed back.
  mutating func update(
    _ query: ItemQuery, _ changes: ItemQuery, _ change: Change = .proved
  ) throws(KeychainError) {
    guard !query.matchesNothing else { throw KeychainError(errSecItemNotFound) }
    guard !changes.isOfToken else { throw KeychainError(errSecUnimplemented) }
    try changes.checkOwnGroup()
    let all = try stored()
    let found = try found(query, among: all)
    guard query.itemClass != .key else { return try relabel(found, changes) }
    var taken = Set(all.map(\.name)).subtracting(found.map(\.name))
    var steps: [Replacement] = []
    for (name, item) in found {
      let new = try changes.applied(to: item).item()
      guard taken.insert(new.name).inserted else { throw KeychainError(errSecDuplicateItem) }
      steps.append(Replacement(name: name, old: try item.item(), new: new))
    }
    for index in steps.indices {
      // As on Apple's systems whoever changes a guarded item proves what reading it takes, also where its value is a new one.
      let isGuarded = change == .proved && !steps[index].old.accessControl.constraints.isEmpty
      guard changes.value == nil || isGuarded || steps.count > 1 else { continue }
      steps[index].value = try vault.value(of: steps[index].name, mayAsk: query.asking == .allow)
    }
    try replace(steps, by: changes.value)
  }

  /// Of a key nothing but the label is ever changed. It takes no proof, as deleting the key takes none.
  private mutating func relabel(_ keys: [Stored], _ changes: ItemQuery) throws(KeychainError) {
    guard changes.isOfLabelAlone, case .text(let label)? = changes.attributes["labl"] else {
      throw KeychainError(errSecUnimplemented)
    }
    for (name, key) in keys {
      var item = if let held = key.key { held } else { try key.item() }
      item.label = label
      guard item.isValid else { throw KeychainError(errSecDataTooLarge) }
      // Whoever replaces a value has to have it; that of one that signetd holds stays where it is.
      var value = Data()
      if key.key == nil { value = try vault.value(of: name, mayAsk: changes.asking == .allow) }
      try vault.update(item, value)
    }
  }

  /// Whether new data takes the proof that reading the old takes.
  enum Change { case proved, unproved }

  private struct Replacement {
    /// Of what is there.
    let name: ItemName
    let old: Item
    let new: Item
    /// The one that is there, where it is needed.
    var value: Data?
  }

  private mutating func replace(_ steps: [Replacement], by value: Data?) throws(KeychainError) {
    for (index, step) in steps.enumerated() {
      do throws(KeychainError) { try replace(step.name, by: step.new, value ?? step.value ?? Data()) } catch {
        for done in steps[..<index].reversed() {
          do throws(KeychainError) { try replace(done.new.name, by: done.old, done.value ?? Data()) } catch { break }
        }
        throw error
      }
    }
  }

  private mutating func replace(_ name: ItemName, by new: Item, _ value: Data) throws(KeychainError) {
    if new.name == name { return try vault.update(new, value) }
    // First the new one: where one of that name is there, or something fails, nothing is lost.
    try vault.add(new, value)
    try vault.delete(name)
  }

  mutating func delete(_ query: ItemQuery) throws(KeychainError) {
    guard !query.matchesNothing else { throw KeychainError(errSecItemNotFound) }
    if let name = query.exactName { return try vault.delete(name) }
    for (name, _) in try found(query).prefix(query.limit.count) { try vault.delete(name) }
  }

  private typealias Stored = (name: ItemName, item: KeychainItem)

  /// What the query means: at least one. A group that nothing is in is none of this program's.
  private mutating func found(_ query: ItemQuery, among known: [Stored]? = nil) throws(KeychainError) -> [Stored] {
    let all = if let known { known } else { try stored() }
    if let group = query.group, group != AccessGroup.own, !all.contains(where: { $0.item.group == group }) {
      throw KeychainError(errSecMissingEntitlement)
    }
    let found = all.filter { query.matches($0.item) }
    guard !found.isEmpty else { throw KeychainError(errSecItemNotFound) }
    return found
  }

  /// All passwords and keys, in the order in which they were stored.
  private mutating func stored() throws(KeychainError) -> [Stored] {
    let items = try vault.items().compactMap { row in KeychainItem(row).map { (name: row.item.name, item: $0) } }
    return items.sorted {
      ($0.item.storedAt, $0.name.service, $0.name.account) < ($1.item.storedAt, $1.name.service, $1.name.account)
    }
  }
}

/// In nanoseconds since 1970.
func now() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
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
  /// A program stores into its own group only.
  func checkOwnGroup() throws(KeychainError) {
    guard group == nil || group == AccessGroup.own else { throw KeychainError(errSecMissingEntitlement) }
  }

  /// Whether nothing but a label is said.
  fileprivate var isOfLabelAlone: Bool {
    attributes.count == 1 && value == nil && control == nil && protection == nil && synchronizable == nil
  }

  /// What becomes of an item by an update.
  fileprivate func applied(to item: KeychainItem) throws(KeychainError) -> KeychainItem {
    var changed = item
    changed.attributes.merge(attributes) { $1 }
    if let control {
      changed.control = try control.control()
      changed.protection = control.protection
    }
    if let protection { changed.protection = protection }
    if let synchronizable { changed.isSynchronizable = synchronizable == .yes }
    let isBound = !changed.control.constraints.isEmpty || AccessibilityText.thisDeviceOnly.contains(changed.protection)
    if changed.isSynchronizable, isBound { throw KeychainError(errSecParam) }
    if value != nil { changed.hasValue = true }
    return changed
  }
}

extension KeychainItem {
  /// Whether its value takes part in what is returned.
  fileprivate func isRead(for returns: ItemQuery.Returns) -> Bool {
    returns.contains(.data) || returns.contains(.reference) && half?.isPrivate == true
  }

  private static func key(_ item: KeychainItem, _ value: Data?, _ calls: CallContext) throws(KeychainError) -> SecKey? {
    if let held = HeldKey(item, calls) { return SecKey(held) }
    guard let half = item.half else { return nil }
    guard half.isPrivate else { return SecKey(.publicHalf, half.point) }
    guard let value else { throw KeychainError(errSecInternalComponent) }
    return try SecKey(privateHalf: value)
  }

  /// What a program gets of an item: `nil` where it asked for nothing, or for a value that is not there.
  fileprivate static func given(
    _ item: KeychainItem, value: Data?, _ returns: ItemQuery.Returns, _ calls: CallContext
  ) throws(KeychainError) -> AnyObject? {
    let persistent = PersistentReference.data(of: try item.name())
    let key = returns.contains(.reference) ? try key(item, value, calls) : nil
    switch returns {
    case .reference: return key
    case .data: return value.map { $0 as NSData }
    case .persistentReference: return persistent.map { $0 as NSData }
    case []: return nil
    default: break
    }
    var dictionary = returns.contains(.attributes) ? item.dictionary() : [:]
    if returns.contains(.data) { dictionary["v_Data"] = value }
    if returns.contains(.persistentReference) { dictionary["v_PersistentRef"] = persistent }
    if returns.contains(.reference) {
      dictionary["class"] = item.itemClass.rawValue
      dictionary["v_Ref"] = key
    }
    return dictionary as NSDictionary
  }
}

private func result(_ given: [AnyObject?], _ limit: ItemQuery.Limit) -> CFTypeRef? {
  switch limit {
  case .one: given.first ?? nil
  case .all, .some: given.compactMap { $0 } as NSArray
  }
}
