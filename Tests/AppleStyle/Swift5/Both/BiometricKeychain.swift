import Foundation
import LocalAuthentication
import Security

// Shapes 20 and 21: access control, the context under which an item is read, evaluateAccessControl.
enum BiometricKeychainError: Error {
  case accessControl(Error?)
  case status(OSStatus)
}

struct BiometricKeychain {
  let service = "com.example.biometric"

  func accessControl(_ flags: SecAccessControlCreateFlags = .biometryCurrentSet) throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    guard
      let access = SecAccessControlCreateWithFlags(
        kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, &error)
    else {
      throw error!.takeRetainedValue() as Error
    }
    return access
  }

  func save(_ secret: String, account: String, flags: SecAccessControlCreateFlags = .biometryCurrentSet) throws {
    let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, nil)
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecAttrAccessControl as String: access as Any,
      kSecValueData as String: secret.data(using: .utf8)!,
    ]
    let status = SecItemAdd(query as CFDictionary, nil)
    guard status == errSecSuccess else { throw BiometricKeychainError.status(status) }
  }

  func load(_ account: String, context: LAContext? = nil, prompt: String? = nil) throws -> String {
    var query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecReturnData as String: kCFBooleanTrue!,
      kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    if let context { query[kSecUseAuthenticationContext as String] = context }
    if let prompt { query[kSecUseOperationPrompt as String] = prompt }
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess, let data = item as? Data, let text = String(data: data, encoding: .utf8) else {
      throw BiometricKeychainError.status(status)
    }
    return text
  }

  func delete(_ account: String) {
    SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account] as CFDictionary)
  }

  func exists(_ account: String) -> OSStatus {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecReturnData as String: true,
      kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail,
    ]
    return SecItemCopyMatching(query as CFDictionary, nil)
  }

  func unlock(_ account: String, completion: @escaping @Sendable (Bool, Error?) -> Void) {
    let context = LAContext()
    guard let access = try? accessControl(.biometryAny) else { return completion(false, nil) }
    context.evaluateAccessControl(access, operation: .useItem, localizedReason: "Unlock \(account)") { success, error in
      completion(success, error)
    }
  }
}
