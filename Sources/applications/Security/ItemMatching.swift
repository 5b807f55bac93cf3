import SignetCoreFoundation
import SignetVocabulary

extension ItemQuery {
  /// Nothing of this can be in this keychain.
  var matchesNothing: Bool { itemClass?.isKept != true || isOfToken || group == AccessGroup.token }

  /// The one item that it can mean, where it says the whole name and no more; `nil`: it has to be looked for.
  var exactName: ItemName? {
    guard let itemClass, !matchesNothing, !ignoresCase, protection == nil, dates.isEmpty, group == nil else { return nil }
    if let reference { return attributes.isEmpty ? reference : nil }
    guard Set(attributes.keys) == itemClass.name, synchronizable != .any else { return nil }
    return try? KeychainItem.name(itemClass, attributes, isSynchronizable: synchronizable == .yes)
  }

  /// Value and access control do not filter.
  func matches(_ item: KeychainItem) -> Bool {
    guard item.itemClass == itemClass, !matchesNothing, protection == nil || protection == item.protection else { return false }
    if let reference {
      guard (try? item.name()) == reference else { return false }
    } else if synchronizable != .any, item.isSynchronizable != (synchronizable == .yes) {
      return false
    }
    if let group, group != item.group { return false }
    for (key, date) in dates where date != (key == "cdat" ? item.created : item.modified) { return false }
    return attributes.allSatisfy { key, wanted in isEqual(wanted, item.attributes[key]) }
  }

  private func isEqual(_ wanted: AttributeValue, _ value: AttributeValue?) -> Bool {
    guard let value, !value.isNothing else { return wanted.isNothing }
    if wanted.bytes == value.bytes { return true }
    guard ignoresCase, case .text(let one) = wanted, case .text(let other) = value else { return false }
    return one.lowercased() == other.lowercased()
  }
}
