import LocalAuthentication
import Security

let diary: [String: Any] = [
  kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "diary", kSecAttrAccount as String: "me",
]
let fingers = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)!
var page = diary
page[kSecAttrAccessControl as String] = fingers
page[kSecValueData as String] = Data("Dear diary, nobody else reads this.".utf8)
let saved = SecItemAdd(page as CFDictionary, nil)
guard saved == errSecSuccess else { fatalError(SecCopyErrorMessageString(saved, nil) as String? ?? "\(saved)") }

let context = LAContext()
try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "open your diary")
var query = diary
query[kSecReturnData as String] = true
query[kSecUseAuthenticationContext as String] = context
var found: CFTypeRef?
let status = SecItemCopyMatching(query as CFDictionary, &found)
guard status == errSecSuccess, let text = found as? Data else { fatalError("\(status)") }
print(String(decoding: text, as: UTF8.self))
