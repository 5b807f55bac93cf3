import Foundation
import Security

// Shapes 11, 14, 15, 17, 18: the helper of many a tutorial, with `as String` keys and an AnyObject for the result.
final class KeychainHelper: Sendable {
  static let standard = KeychainHelper()
  private init() {}

  func save(_ data: Data, service: String, account: String) {
    let query =
      [
        kSecValueData: data,
        kSecClass: kSecClassGenericPassword,
        kSecAttrService: service,
        kSecAttrAccount: account,
      ] as CFDictionary

    let status = SecItemAdd(query, nil)

    if status == errSecDuplicateItem {
      let query =
        [
          kSecAttrService: service,
          kSecAttrAccount: account,
          kSecClass: kSecClassGenericPassword,
        ] as CFDictionary

      let attributesToUpdate = [kSecValueData: data] as CFDictionary

      SecItemUpdate(query, attributesToUpdate)
    }
  }

  func read(service: String, account: String) -> Data? {
    let query =
      [
        kSecAttrService: service,
        kSecAttrAccount: account,
        kSecClass: kSecClassGenericPassword,
        kSecReturnData: true,
      ] as CFDictionary

    var result: AnyObject?
    SecItemCopyMatching(query, &result)

    return (result as? Data)
  }

  func delete(service: String, account: String) {
    let query =
      [
        kSecAttrService: service,
        kSecAttrAccount: account,
        kSecClass: kSecClassGenericPassword,
      ] as CFDictionary

    SecItemDelete(query)
  }
}

// Shape 24: generic Codable access.
extension KeychainHelper {
  func save<T: Codable>(_ item: T, service: String, account: String) {
    do {
      let data = try JSONEncoder().encode(item)
      save(data, service: service, account: account)
    } catch {
      assertionFailure("Fail to encode item for keychain: \(error)")
    }
  }

  func read<T: Codable>(service: String, account: String, type: T.Type) -> T? {
    guard let data = read(service: service, account: account) else { return nil }
    do {
      let item = try JSONDecoder().decode(type, from: data)
      return item
    } catch {
      assertionFailure("Fail to decode item for keychain: \(error)")
      return nil
    }
  }
}
