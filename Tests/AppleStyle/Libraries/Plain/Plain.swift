import Foundation

// On Apple's systems Foundation brings all that is named here.

public enum PlainError: LocalizedError, Equatable {
  case status(OSStatus)

  public var errorDescription: String? {
    guard case .status(let status) = self else { return nil }
    return SecCopyErrorMessageString(status, nil) as String?
  }
}

public enum Secrets {
  public static func key(_ count: Int) throws -> Data {
    var bytes = [UInt8](repeating: 0, count: count)
    let status = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
    guard status == errSecSuccess else { throw PlainError.status(status) }
    return Data(bytes)
  }

  public static func save(_ value: Data, server: String, account: String) throws {
    let query: [CFString: Any] = [
      kSecClass: kSecClassInternetPassword, kSecAttrServer: server, kSecAttrAccount: account,
      kSecAttrProtocol: kSecAttrProtocolHTTPS,
    ]
    SecItemDelete(query as CFDictionary)
    let status = SecItemAdd(query.merging([kSecValueData: value]) { $1 } as CFDictionary, nil)
    guard status == errSecSuccess else { throw PlainError.status(status) }
  }

  public static func load(server: String, account: String) throws -> Data {
    var found: CFTypeRef?
    let query =
      [
        kSecClass: kSecClassInternetPassword, kSecAttrServer: server, kSecAttrAccount: account, kSecReturnData: true,
      ] as [CFString: Any] as CFDictionary
    let status = SecItemCopyMatching(query, &found)
    guard status == errSecSuccess, let data = found as? Data else { throw PlainError.status(status) }
    return data
  }
}
