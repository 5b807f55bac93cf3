import Foundation
import SignetVocabulary
import SignetWire

@testable import Security

/// A vault in memory that keeps signetd's rules as far as the keychain meets them.
struct MemoryVault: ItemVault {
  private struct Stored {
    var row: ItemRow
    var value: Data
  }

  private var stored: [ItemName: Stored] = [:]
  private var keys: [ItemName: (number: P256.PrivateNumber, point: [UInt8])] = [:]
  private var clock: UInt64 = 1_000
  /// Which program stores.
  var creator = ""
  /// The update that fails, counted from one on.
  var failingUpdate: Int?
  /// What was asked of it, in order.
  var calls: [String] = []

  mutating func items() throws(KeychainError) -> [ItemRow] {
    calls.append("items")
    return stored.values.map(\.row)
  }

  mutating func value(of name: ItemName, mayAsk: Bool) throws(KeychainError) -> Data {
    calls.append("value")
    guard let found = stored[name] else { throw KeychainError(errSecItemNotFound) }
    guard mayAsk || found.row.item.accessControl.constraints.isEmpty else { throw KeychainError(errSecInteractionNotAllowed) }
    return found.value
  }

  mutating func add(_ item: Item, _ value: Data) throws(KeychainError) {
    calls.append("add")
    guard stored[item.name] == nil else { throw KeychainError(errSecDuplicateItem) }
    clock += 1
    stored[item.name] = Stored(
      row: ItemRow(item: item, created: clock, modified: clock, isOfCurrentSet: true, creator: creator), value: value)
  }

  mutating func update(_ item: Item, _ value: Data) throws(KeychainError) {
    calls.append("update")
    if let count = failingUpdate {
      failingUpdate = count - 1
      if count == 1 { throw KeychainError(errSecDiskFull) }
    }
    guard let old = stored[item.name] else { throw KeychainError(errSecItemNotFound) }
    clock += 1
    stored[item.name] = Stored(
      row: ItemRow(
        item: item, created: old.row.created, modified: clock, isOfCurrentSet: true, creator: old.row.creator), value: value)
  }

  mutating func makeKey(_ key: Item) throws(KeychainError) -> [UInt8] {
    calls.append("make")
    guard stored[key.name] == nil else { throw KeychainError(errSecDuplicateItem) }
    let made = try P256.generate()
    keys[key.name] = made
    var item = key
    item.attributes = made.point
    clock += 1
    stored[item.name] = Stored(
      row: ItemRow(item: item, created: clock, modified: clock, isOfCurrentSet: true, creator: creator), value: Data())
    return made.point
  }

  mutating func sign(_ digest: [UInt8], with name: ItemName, mayAsk: Bool) throws(KeychainError) -> [UInt8] {
    calls.append("sign")
    guard let key = keys[name] else { throw KeychainError(errSecItemNotFound) }
    return try P256.sign(digest, by: key.number, key.point)
  }

  mutating func agree(with point: [UInt8], by name: ItemName, mayAsk: Bool) throws(KeychainError) -> P256.PrivateNumber {
    calls.append("agree")
    guard let key = keys[name] else { throw KeychainError(errSecItemNotFound) }
    return try P256.agree(key.number, with: point)
  }

  mutating func delete(_ name: ItemName) throws(KeychainError) {
    calls.append("delete")
    guard stored.removeValue(forKey: name) != nil else { throw KeychainError(errSecItemNotFound) }
  }
}

/// The four calls over such a vault, as a program makes them.
final class TestKeychain {
  private var keychain = Keychain(MemoryVault())
  var calls: [String] { keychain.vault.calls }
  var creator: String {
    get { keychain.vault.creator }
    set { keychain.vault.creator = newValue }
  }
  var failingUpdate: Int? {
    get { keychain.vault.failingUpdate }
    set { keychain.vault.failingUpdate = newValue }
  }

  func add(_ attributes: [CFString: Any]) -> OSStatus {
    result { try $0.add(ItemQuery(attributes as CFDictionary, for: .add)) }.0
  }

  func adding(_ attributes: [CFString: Any]) -> (OSStatus, CFTypeRef?) {
    result { try $0.add(ItemQuery(attributes as CFDictionary, for: .add)) }
  }

  func copy(_ query: [CFString: Any]) -> (OSStatus, CFTypeRef?) {
    result { try $0.copy(ItemQuery(query as CFDictionary, for: .copy)) }
  }

  func update(_ query: [CFString: Any], _ changes: [CFString: Any]) -> OSStatus {
    result {
      let query = try ItemQuery(query as CFDictionary, for: .update)
      try $0.update(query, ItemQuery(changes as CFDictionary, for: .change, of: query.itemClass))
      return nil
    }.0
  }

  func delete(_ query: [CFString: Any]) -> OSStatus {
    result {
      try $0.delete(ItemQuery(query as CFDictionary, for: .delete))
      return nil
    }.0
  }

  /// As `SecKeyCreateRandomKey`, for what is permanent.
  func makeKey(_ parameters: [CFString: Any]) throws -> SecKey {
    try ItemQuery(ofKey: parameters as CFDictionary).newKey { [self] (query) throws(KeychainError) in
      try keychain.makeKey(query)
    }
  }

  private func result(
    _ body: (inout Keychain<MemoryVault>) throws -> CFTypeRef?
  ) -> (OSStatus, CFTypeRef?) {
    do { return (errSecSuccess, try body(&keychain)) } catch { return ((error as! KeychainError).status, nil) }
  }
}
