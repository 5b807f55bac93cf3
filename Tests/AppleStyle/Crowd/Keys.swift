import Foundation
import LocalAuthentication
import Security
import Synchronization

private let threads = 100
private let message = Data("what is signed".utf8)

/// How fast a key of the vault that asks for nothing signs: from so many threads at once, each with a context of its own in each call, and in one
/// context, one after the other. Prints how many signatures a second each makes, all of which the public half has verified.
func keys(turns: Int) {
  let tag = Data("crowd \(getpid())".utf8)
  let key = { (context: LAContext?) in try found(tag, context) }
  do {
    try make(tag)
    defer { SecItemDelete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] as CFDictionary) }
    print("threads \(try rate(threads * turns) { try inThreads(turns, key(nil)) })")
    let reused = try key(LAContext())
    print("reused \(try rate(threads * turns) { for _ in 0..<threads * turns { try sign(reused) } })")
  } catch { print("failed \(error)") }
}

private func make(_ tag: Data) throws {
  let parameters: [CFString: Any] = [
    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecAttrLabel: "crowd",
    kSecPrivateKeyAttrs: [kSecAttrApplicationTag: tag], kSecPublicKeyAttrs: [kSecAttrIsPermanent: false],
  ]
  var error: Unmanaged<CFError>?
  guard SecKeyCreateRandomKey(parameters as CFDictionary, &error) != nil else { throw error!.takeRetainedValue() }
}

private func found(_ tag: Data, _ context: LAContext?) throws -> SecKey {
  var query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true]
  query[kSecUseAuthenticationContext] = context
  var item: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &item)
  guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
  return item as! SecKey
}

private func sign(_ key: SecKey) throws {
  var error: Unmanaged<CFError>?
  guard let publicKey = SecKeyCopyPublicKey(key),
    let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error),
    SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message as CFData, signature, &error)
  else { throw error!.takeRetainedValue() }
}

private func inThreads(_ turns: Int, _ key: SecKey) throws {
  let all = DispatchGroup()
  let failed = Mutex<(any Error)?>(nil)
  for _ in 0..<threads {
    all.enter()
    Thread {
      do { for _ in 0..<turns { try sign(key) } } catch { failed.withLock { $0 = error } }
      all.leave()
    }.start()
  }
  all.wait()
  if let error = failed.withLock({ $0 }) { throw error }
}

private func rate(_ count: Int, _ body: () throws -> Void) rethrows -> Int {
  let start = ContinuousClock.now
  try body()
  return Int(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
}
