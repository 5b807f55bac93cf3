import LocalAuthentication
import Security

let fingers = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)!
let diary: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "diary", kSecAttrAccount: "me"]
let page: [CFString: Any] = [kSecAttrAccessControl: fingers, kSecValueData: Data("Dear diary, nobody else reads this.".utf8)]
let saved = SecItemAdd(diary.merging(page) { $1 } as CFDictionary, nil)

let context = LAContext()
try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "open your diary")
let query: [CFString: Any] = [kSecReturnData: true, kSecUseAuthenticationContext: context]
var found: CFTypeRef?
let status = SecItemCopyMatching(diary.merging(query) { $1 } as CFDictionary, &found)
guard saved == errSecSuccess, status == errSecSuccess, let text = found as? Data else { fatalError("\(saved) \(status)") }
print(String(decoding: text, as: UTF8.self))
