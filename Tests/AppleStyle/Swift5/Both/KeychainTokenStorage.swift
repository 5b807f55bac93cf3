import Foundation
import Security

// Shapes 18, 19, 24, 25: errors of one's own, OSStatus in words, an actor, a protocol.
protocol TokenStorage: Sendable {
  func store(token: String) throws
  func token() throws -> String?
  func removeToken() throws
}

enum TokenStorageError: LocalizedError, Equatable {
  case duplicate
  case notFound
  case unhandled(OSStatus)

  init(_ status: OSStatus) {
    switch status {
    case errSecDuplicateItem: self = .duplicate
    case errSecItemNotFound: self = .notFound
    default: self = .unhandled(status)
    }
  }

  var errorDescription: String? {
    switch self {
    case .duplicate: return "The token is there already."
    case .notFound: return "There is no token."
    case .unhandled(let status):
      return SecCopyErrorMessageString(status, nil) as String? ?? "Unknown error: \(status)"
    }
  }
}

final class KeychainTokenStorage: TokenStorage {
  private let service: String
  private let account = "token"

  init(service: String = "com.example.app") {
    self.service = service
  }

  private var baseQuery: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
    ]
  }

  func store(token: String) throws {
    guard let data = token.data(using: .utf8) else { return }
    var query = baseQuery
    query[kSecValueData as String] = data
    query[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly

    var status = SecItemAdd(query as CFDictionary, nil)
    if status == errSecDuplicateItem {
      status = SecItemUpdate(baseQuery as CFDictionary, [kSecValueData as String: data] as CFDictionary)
    }
    guard status == errSecSuccess else { throw TokenStorageError(status) }
  }

  func token() throws -> String? {
    var query = baseQuery
    query[kSecReturnData as String] = kCFBooleanTrue
    query[kSecMatchLimit as String] = kSecMatchLimitOne

    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)

    switch status {
    case errSecSuccess:
      guard let data = item as? Data else { return nil }
      return String(decoding: data, as: UTF8.self)
    case errSecItemNotFound:
      return nil
    default:
      throw TokenStorageError(status)
    }
  }

  func removeToken() throws {
    let status = SecItemDelete(baseQuery as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: nil)
    }
  }
}

actor TokenActor {
  static let shared = TokenActor()
  private let storage: any TokenStorage = KeychainTokenStorage(service: "com.example.actor")

  func refresh(_ make: @Sendable () async throws -> String) async throws -> String {
    if let token = try storage.token() { return token }
    let token = try await make()
    try storage.store(token: token)
    return token
  }

  func reset() throws { try storage.removeToken() }
}

extension OSStatus {
  var message: String {
    return (SecCopyErrorMessageString(self, nil) as String?) ?? "\(self)"
  }
}
