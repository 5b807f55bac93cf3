import Foundation
import LocalAuthentication
import Security

/// A key for signatures, as tutorials about the Secure Enclave make, find and use one.
struct EnclaveKey {
  let tag: String
  var context: LAContext?

  func make(_ flags: SecAccessControlCreateFlags) throws -> SecKey {
    var error: Unmanaged<CFError>?
    guard
      let access = SecAccessControlCreateWithFlags(
        kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, &error)
    else { throw error!.takeRetainedValue() as Error }
    let attributes: NSDictionary = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
      kSecAttrKeySizeInBits: 256,
      kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
      kSecPrivateKeyAttrs: [
        kSecAttrIsPermanent: true,
        kSecAttrApplicationTag: tag.data(using: .utf8)!,
        kSecAttrAccessControl: access,
      ] as [CFString: Any],
    ]
    guard let key = SecKeyCreateRandomKey(attributes, &error) else { throw error!.takeRetainedValue() as Error }
    return key
  }

  func find(_ more: [String: Any] = [:]) throws -> SecKey {
    var query: [String: Any] = [
      kSecClass as String: kSecClassKey,
      kSecAttrApplicationTag as String: tag.data(using: .utf8)!,
      kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
      kSecReturnRef as String: true,
    ]
    query.merge(more) { $1 }
    if let context { query[kSecUseAuthenticationContext as String] = context }
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    return item as! SecKey
  }

  func sign(_ message: Data, with key: SecKey) throws -> Data {
    let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    guard SecKeyIsAlgorithmSupported(key, .sign, algorithm) else { throw CocoaError(.featureUnsupported) }
    var error: Unmanaged<CFError>?
    guard let signature = SecKeyCreateSignature(key, algorithm, message as CFData, &error) as Data? else {
      throw error!.takeRetainedValue() as Error
    }
    return signature
  }

  func verify(_ message: Data, _ signature: Data, with key: SecKey) -> Bool {
    guard let publicKey = SecKeyCopyPublicKey(key) else { return false }
    return SecKeyVerifySignature(
      publicKey, .ecdsaSignatureMessageX962SHA256, message as CFData, signature as CFData, nil)
  }

  /// Encrypts for the key, and has the key decrypt that.
  func open(_ message: Data, with key: SecKey) throws -> Bool {
    let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    guard let publicKey = SecKeyCopyPublicKey(key), SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm),
      SecKeyIsAlgorithmSupported(key, .decrypt, algorithm)
    else { throw CocoaError(.featureUnsupported) }
    var error: Unmanaged<CFError>?
    guard let encrypted = SecKeyCreateEncryptedData(publicKey, algorithm, message as CFData, &error),
      let decrypted = SecKeyCreateDecryptedData(key, algorithm, encrypted, &error) as Data?
    else { throw error!.takeRetainedValue() as Error }
    return decrypted == message
  }

  /// Whether the key and one of this program's own agree on the same.
  func agree(with key: SecKey) throws -> Bool {
    var error: Unmanaged<CFError>?
    let kind: NSDictionary = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
    let parameters: [String: Any] = [
      SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 32,
      SecKeyKeyExchangeParameter.sharedInfo.rawValue as String: Data("chat".utf8),
    ]
    guard let own = SecKeyCreateRandomKey(kind, &error), let ownPublic = SecKeyCopyPublicKey(own),
      let publicKey = SecKeyCopyPublicKey(key),
      let theirs = SecKeyCopyKeyExchangeResult(
        key, .ecdhKeyExchangeStandardX963SHA256, ownPublic, parameters as CFDictionary, &error) as Data?,
      let ours = SecKeyCopyKeyExchangeResult(
        own, .ecdhKeyExchangeStandardX963SHA256, publicKey, parameters as CFDictionary, &error) as Data?
    else { throw error!.takeRetainedValue() as Error }
    return ours == theirs && ours.count == 32
  }

  /// Keeps the public half beside the key, and finds it by its class.
  func keepPublicHalf(of key: SecKey) throws -> Bool {
    guard let publicKey = SecKeyCopyPublicKey(key) else { return false }
    let query: [String: Any] = [
      kSecClass as String: kSecClassKey,
      kSecAttrApplicationTag as String: Data(tag.utf8),
      kSecValueRef as String: publicKey,
    ]
    let status = SecItemAdd(query as CFDictionary, nil)
    guard status == errSecSuccess || status == errSecDuplicateItem else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
    }
    let found = try find([kSecAttrKeyClass as String: kSecAttrKeyClassPublic])
    return SecKeyCopyExternalRepresentation(found, nil) == SecKeyCopyExternalRepresentation(publicKey, nil)
  }

  func rename(_ label: String) -> OSStatus {
    let query: NSDictionary = [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data(tag.utf8)]
    return SecItemUpdate(query, [kSecAttrLabel: label] as NSDictionary)
  }

  func export(_ key: SecKey) throws -> Data {
    var error: Unmanaged<CFError>?
    guard let data = SecKeyCopyExternalRepresentation(key, &error) else { throw error!.takeRetainedValue() as Error }
    return data as Data
  }

  /// Has the owner prove it before, so that signing asks for nothing.
  mutating func evaluate(_ operation: LAAccessControlOperation = .useKeySign) async throws {
    let context = LAContext()
    let attributes = SecKeyCopyAttributes(try find()) as? [String: Any]
    let access = attributes?[kSecAttrAccessControl as String] as! SecAccessControl
    _ = try await context.evaluateAccessControl(access, operation: operation, localizedReason: "Sign the order")
    self.context = context
  }

  func delete() -> OSStatus {
    SecItemDelete([kSecClass: kSecClassKey, kSecAttrApplicationTag: Data(tag.utf8)] as NSDictionary)
  }
}

/// Words, each of which is something done with the key of the tag that comes first.
func keys(_ words: [String]) async {
  var words = words[...]
  var key = EnclaveKey(tag: words.popFirst() ?? "")
  let message = Data("what is signed".utf8)
  while let word = words.popFirst() {
    do {
      switch word {
      case "make":
        let made = try key.make(SecAccessControlCreateFlags(rawValue: UInt(words.popFirst() ?? "") ?? 0))
        say("make \(try key.export(SecKeyCopyPublicKey(made)!).base64EncodedString())")
      case "context":
        key.context = LAContext()
        key.context?.localizedReason = "Sign the order"
      case "evaluate": try await key.evaluate()
      case "evaluate-decrypt": try await key.evaluate(.useKeyDecrypt)
      case "evaluate-exchange": try await key.evaluate(.useKeyKeyExchange)
      case "silent": key.context?.interactionNotAllowed = true
      case "invalidate": key.context?.invalidate()
      case "find":
        _ = try key.find()
        say("find 0")
      case "of":
        let found = try key.find([kSecAttrAccessGroup as String: words.popFirst() ?? ""])
        say("of \(key.verify(message, try key.sign(message, with: found), with: found))")
      case "sign":
        let found = try key.find()
        let signature = try key.sign(message, with: found)
        say("sign \(key.verify(message, signature, with: found)) \(signature.base64EncodedString())")
      case "export": say("export \(try key.export(try key.find()).count)")
      case "open": say("open \(try key.open(message, with: try key.find()))")
      case "agree": say("agree \(try key.agree(with: try key.find()))")
      case "keep": say("keep \(try key.keepPublicHalf(of: try key.find([kSecAttrKeyClass as String: kSecAttrKeyClassPrivate])))")
      case "rename":
        say("rename \(key.rename("Renamed"))")
        let found = try key.find([kSecAttrLabel as String: "Renamed"])
        say("label \((SecKeyCopyAttributes(found) as? [String: Any])?[kSecAttrLabel as String] as? String ?? "none")")
      case "delete": say("delete \(key.delete())")
      case "typed": _ = readLine()
      default: say("no \(word)")
      }
    } catch { say("\(word) \((error as NSError).domain) \((error as NSError).code)") }
  }
}
