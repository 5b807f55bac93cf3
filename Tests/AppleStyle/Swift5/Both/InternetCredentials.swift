import Security

// Shapes 11, 14, 15, 18: storing, finding, changing and deleting credentials of a server.
struct Credentials: Equatable {
  var username: String
  var password: String
}

enum KeychainError: Error {
  case noPassword
  case unexpectedPasswordData
  case unhandledError(status: OSStatus)
}

let server = "www.example.com"

func store(_ credentials: Credentials) throws {
  let account = credentials.username
  let password = credentials.password.data(using: String.Encoding.utf8)!
  let query: [String: Any] = [
    kSecClass as String: kSecClassInternetPassword,
    kSecAttrAccount as String: account,
    kSecAttrServer as String: server,
    kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
    kSecAttrPort as String: 443,
    kSecValueData as String: password,
  ]
  let status = SecItemAdd(query as CFDictionary, nil)
  guard status == errSecSuccess else { throw KeychainError.unhandledError(status: status) }
}

func findCredentials() throws -> Credentials {
  let query: [String: Any] = [
    kSecClass as String: kSecClassInternetPassword,
    kSecAttrServer as String: server,
    kSecMatchLimit as String: kSecMatchLimitOne,
    kSecReturnAttributes as String: true,
    kSecReturnData as String: true,
  ]
  var item: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &item)
  guard status != errSecItemNotFound else { throw KeychainError.noPassword }
  guard status == errSecSuccess else { throw KeychainError.unhandledError(status: status) }

  guard let existingItem = item as? [String: Any],
    let passwordData = existingItem[kSecValueData as String] as? Data,
    let password = String(data: passwordData, encoding: String.Encoding.utf8),
    let account = existingItem[kSecAttrAccount as String] as? String
  else {
    throw KeychainError.unexpectedPasswordData
  }
  return Credentials(username: account, password: password)
}

func change(_ credentials: Credentials) throws {
  let query: [String: Any] = [
    kSecClass as String: kSecClassInternetPassword,
    kSecAttrServer as String: server,
  ]
  let account = credentials.username
  let password = credentials.password.data(using: String.Encoding.utf8)!
  let attributes: [String: Any] = [
    kSecAttrAccount as String: account,
    kSecValueData as String: password,
  ]
  let status = SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
  guard status != errSecItemNotFound else { throw KeychainError.noPassword }
  guard status == errSecSuccess else { throw KeychainError.unhandledError(status: status) }
}

func deleteCredentials() throws {
  let query: [String: Any] = [
    kSecClass as String: kSecClassInternetPassword,
    kSecAttrServer as String: server,
  ]
  let status = SecItemDelete(query as CFDictionary)
  guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainError.unhandledError(status: status) }
}
