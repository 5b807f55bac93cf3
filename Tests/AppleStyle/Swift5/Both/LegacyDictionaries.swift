import Foundation
import Security

// Shape 13: NSDictionary and NSMutableDictionary; shape 16: kCFBoolean; shape 12: CFString keys, typed and inline.
class LegacyKeychain: NSObject {
  private class func query(for key: String) -> NSMutableDictionary {
    let query = NSMutableDictionary()
    query.setObject(kSecClassGenericPassword, forKey: kSecClass as NSCopying)
    query.setValue("legacy", forKey: kSecAttrService as String)
    query[kSecAttrAccount as String] = key
    query[kSecAttrAccessible as NSString] = kSecAttrAccessibleAfterFirstUnlock
    return query
  }

  class func save(_ key: String, data: Data) -> OSStatus {
    let query = self.query(for: key)
    SecItemDelete(query as CFDictionary)
    query.setObject(data, forKey: kSecValueData as NSCopying)
    return SecItemAdd(query, nil)
  }

  class func load(_ key: String) -> Data? {
    let query = self.query(for: key)
    query[kSecReturnData] = kCFBooleanTrue
    query[kSecMatchLimit] = kSecMatchLimitOne
    var dataTypeRef: AnyObject? = nil
    let status: OSStatus = SecItemCopyMatching(query, &dataTypeRef)
    if status == noErr {
      return dataTypeRef as! Data?
    } else {
      return nil
    }
  }

  class func attributes() -> [[String: Any]] {
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword,
      kSecAttrService: "legacy",
      kSecReturnAttributes: kCFBooleanTrue as Any,
      kSecReturnData: kCFBooleanFalse!,
      kSecMatchLimit: kSecMatchLimitAll,
    ]
    var result: CFTypeRef?
    let status = withUnsafeMutablePointer(to: &result) {
      SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
    }
    guard status == errSecSuccess, let items = result as? [[String: Any]] else { return [] }
    return items
  }

  class func accounts() -> [String] {
    let query: NSDictionary = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "legacy", kSecReturnAttributes: true,
      kSecMatchLimit: kSecMatchLimitAll,
    ]
    var items: CFTypeRef?
    guard SecItemCopyMatching(query, &items) == errSecSuccess else { return [] }
    return (items as! [NSDictionary]).compactMap { $0[kSecAttrAccount] as? String }.sorted()
  }

  class func clear() -> OSStatus {
    return SecItemDelete([kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "legacy"] as CFDictionary)
  }

  // The way of early Swift.
  class func exists(_ key: String) -> Bool {
    let kSecClassValue = NSString(format: kSecClass)
    let kSecAttrAccountValue = NSString(format: kSecAttrAccount)
    let kSecAttrServiceValue = NSString(format: kSecAttrService)
    let kSecClassGenericPasswordValue = NSString(format: kSecClassGenericPassword)
    let keychainQuery: NSMutableDictionary = NSMutableDictionary(
      objects: [kSecClassGenericPasswordValue, "legacy", key],
      forKeys: [kSecClassValue, kSecAttrServiceValue, kSecAttrAccountValue])
    return SecItemCopyMatching(keychainQuery as CFDictionary, nil) == errSecSuccess
  }

  class func typed(_ key: String) -> [String: AnyObject] {
    var query = [String: AnyObject]()
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecAttrService as String] = "legacy" as AnyObject?
    query[kSecAttrAccount as String] = key as AnyObject?
    query[kSecReturnData as String] = kCFBooleanTrue
    return query
  }
}

func inlineQuery(_ account: String) -> OSStatus {
  SecItemCopyMatching(
    [
      kSecClass: kSecClassGenericPassword,
      kSecAttrAccount: account,
      kSecMatchLimit: 1,
    ] as [CFString: Any] as CFDictionary, nil)
}
