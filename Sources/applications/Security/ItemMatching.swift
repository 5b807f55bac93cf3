import SignetCoreFoundation
import SignetVocabulary

extension ItemQuery {
  /// Nothing of this can be in this keychain.
  var matchesNothing: Bool { itemClass?.isKept != true || isOfToken || group == AccessGroup.token }

  /// The one item that it can mean, where it says the whole name and no more; `nil`: it has to be looked for.
  var exactName: ItemName? {
    guard let itemClass, itemClass.isPassword, !matchesNothing, !ignoresCase, protection == nil, dates.isEmpty, group == nil
    else {
      return nil
    }
    if let reference { return attributes.isEmpty ? reference : nil }
    guard Set(attributes.keys) == itemClass.name, synchronizable != .any else { return nil }
    return try? KeychainItem.name(itemClass, attributes, isSynchronizable: synchronizable == .yes)
  }

  /// Value and access control do not filter.
  func matches(_ item: KeychainItem) -> Bool {
    guard item.itemClass == itemClass, !matchesNothing, matchesProtection(item) else { return false }
    if let reference {
      guard (try? item.name()) == reference else { return false }
    } else if synchronizable != .any, item.isSynchronizable != (synchronizable == .yes) {
      return false
    }
    if let key, item.half != StoredHalf(key) { return false }
    // Another program's keys are only for who names that program: by their tags alone two may be meant.
    if let group = group ?? (itemClass == .key ? AccessGroup.own : nil), group != item.group { return false }
    for (key, date) in dates where date != (key == "cdat" ? item.created : item.modified) { return false }
    return attributes.allSatisfy { key, wanted in isEqual(wanted, item.attribute(key)) }
  }

  private func matchesProtection(_ item: KeychainItem) -> Bool {
    guard let protection, protection != item.protection else { return true }
    // Of a key the vault keeps when it may be used, and no word of the program's.
    let wanted = AccessibilityText.accessibility(of: protection)
    return itemClass == .key && wanted == AccessibilityText.accessibility(of: item.protection)
  }

  private func isEqual(_ wanted: AttributeValue, _ value: AttributeValue?) -> Bool {
    guard let value, !value.isNothing else { return wanted.isNothing }
    if wanted.bytes == value.bytes { return true }
    guard ignoresCase, case .text(let one) = wanted, case .text(let other) = value else { return false }
    return one.lowercased() == other.lowercased()
  }
}
