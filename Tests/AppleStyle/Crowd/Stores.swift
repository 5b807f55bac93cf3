import Foundation
import Security
import Synchronization

/// Fifty threads that keep what they have in the keychain, and read it right after they stored it: what they were told that was wrong.
func stores(_ name: String) {
  let all = DispatchGroup()
  let wrong = Mutex<[String]>([])
  for number in 1...50 {
    all.enter()
    Thread {
      for turn in 1...5 { store("\(name) \(number)", turn) { text in wrong.withLock { $0.append(text) } } }
      all.leave()
    }.start()
  }
  all.wait()
  print("wrong", wrong.withLock { $0 })
}

private func store(_ account: String, _ turn: Int, _ tell: (String) -> Void) {
  let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "stores", kSecAttrAccount: account,
    kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
  ]
  func expect(_ status: OSStatus, _ wanted: OSStatus, _ what: String) { if status != wanted { tell("\(what) \(status)") } }
  func value() -> String? {
    var found: CFTypeRef?
    let status = SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, &found)
    return status == errSecSuccess ? (found as? Data).map { String(decoding: $0, as: UTF8.self) } : "status \(status)"
  }
  func expect(_ wanted: String) {
    let value = value()
    if value != wanted { tell("\(value ?? "nil") for \(wanted)") }
  }
  expect(SecItemAdd(item.merging([kSecValueData: Data("a\(turn)".utf8)]) { $1 } as CFDictionary, nil), errSecSuccess, "add")
  expect("a\(turn)")
  expect(SecItemUpdate(item as CFDictionary, [kSecValueData: Data("b\(turn)".utf8)] as CFDictionary), errSecSuccess, "update")
  expect("b\(turn)")
  expect(SecItemDelete(item as CFDictionary), errSecSuccess, "delete")
  expect("status \(errSecItemNotFound)")
}
