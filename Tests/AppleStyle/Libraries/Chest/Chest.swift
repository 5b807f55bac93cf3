import Foundation
import Security

/// A wrapper for any value, as most such libraries are built: options, a subscript, and what deletes everything.
public final class Chest {
  public enum Failure: OSStatus, Error {
    case itemNotFound = -25300
    case duplicateItem = -25299
    case parameter = -50
    case missingEntitlement = -34018
    case verifyFailed = -67808
    case unexpected = -99999

    public init(status: OSStatus) { self = Failure(rawValue: status) ?? .unexpected }
  }

  private let service: String
  private let accessGroup: String?
  private let isSynchronizable: Bool
  private var label: String?

  public convenience init() {
    self.init(service: Bundle.main.infoDictionary?[kCFBundleIdentifierKey as String] as? String ?? "chest")
  }

  public init(service: String, accessGroup: String? = nil, synchronizable: Bool = false) {
    (self.service, self.accessGroup, isSynchronizable) = (service, accessGroup, synchronizable)
  }

  public func label(_ label: String) -> Self {
    self.label = label
    return self
  }

  public subscript(key: String) -> String? {
    get { (try? data(key)).flatMap { $0 }.flatMap { String(data: $0, encoding: .utf8) } }
    set {
      if let newValue { try? set(Data(newValue.utf8), key) } else { try? remove(key) }
    }
  }

  public func data(_ key: String) throws -> Data? {
    var query = self.query()
    query[String(kSecAttrAccount)] = key
    query[String(kSecMatchLimit)] = kSecMatchLimitOne
    query[String(kSecReturnData)] = kCFBooleanTrue
    var result: AnyObject?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    switch status {
    case errSecSuccess: return result as? Data
    case errSecItemNotFound: return nil
    default: throw Failure(status: status)
    }
  }

  public func set(_ value: Data, _ key: String) throws {
    var query = self.query()
    query[String(kSecAttrAccount)] = key
    var status = SecItemCopyMatching(query as CFDictionary, nil)
    switch status {
    case errSecSuccess:
      var changes: [String: Any] = [String(kSecValueData): value]
      if let label { changes[String(kSecAttrLabel)] = label }
      status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    case errSecItemNotFound:
      query[String(kSecValueData)] = value
      query[String(kSecAttrSynchronizable)] = isSynchronizable ? kCFBooleanTrue : kCFBooleanFalse
      if !isSynchronizable { query[String(kSecAttrAccessible)] = kSecAttrAccessibleAfterFirstUnlock }
      if let label { query[String(kSecAttrLabel)] = label }
      status = SecItemAdd(query as CFDictionary, nil)
    default: break
    }
    guard status == errSecSuccess else { throw Failure(status: status) }
  }

  public func remove(_ key: String) throws {
    var query = self.query()
    query[String(kSecAttrAccount)] = key
    let status = SecItemDelete(query as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
  }

  /// On iOS a limit is an error; elsewhere it is what takes more than one.
  public func removeAll() throws {
    var query = self.query()
    #if !os(iOS) && !os(watchOS) && !os(tvOS)
      query[String(kSecMatchLimit)] = kSecMatchLimitAll
    #endif
    let status = SecItemDelete(query as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
  }

  public var keys: [String] { rows.compactMap { $0[AnyHashable(kSecAttrAccount)] as? String } }

  /// Dictionaries of any kind of keys.
  public var rows: [[AnyHashable: Any]] {
    var query = self.query()
    query[String(kSecMatchLimit)] = kSecMatchLimitAll
    query[String(kSecReturnAttributes)] = kCFBooleanTrue
    var result: AnyObject?
    guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess, let result,
      CFGetTypeID(result) == CFArrayGetTypeID()
    else { return [] }
    return result as? [[AnyHashable: Any]] ?? []
  }

  /// What an application learns of its own group by storing something.
  public static func ownGroup() -> String? {
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: "seed", kSecAttrService: "", kSecReturnAttributes: true,
    ]
    var result: CFTypeRef?
    var status = SecItemCopyMatching(query as CFDictionary, &result)
    if status == errSecItemNotFound { status = SecItemAdd(query as CFDictionary, &result) }
    guard status == noErr, let attributes = result as? NSDictionary else { return nil }
    return attributes[kSecAttrAccessGroup] as? String
  }

  private func query() -> [String: Any] {
    var query: [String: Any] = [
      String(kSecClass): kSecClassGenericPassword, String(kSecAttrService): service,
      String(kSecAttrSynchronizable): kSecAttrSynchronizableAny,
    ]
    if let accessGroup { query[String(kSecAttrAccessGroup)] = accessGroup }
    return query
  }
}
