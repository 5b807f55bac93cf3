import Foundation
import LocalAuthentication
import Security

/// A pair of keys of one name: what is sealed for it only a finger opens, and what it signs anybody verifies.
public final class KeyBox {
  public enum Problem: Error {
    case unsupported(SecKeyOperationType)
    case failed(OSStatus)
    case other(CFError)
  }

  public enum Half {
    case open, closed

    var value: CFString { self == .open ? kSecAttrKeyClassPublic : kSecAttrKeyClassPrivate }
  }

  private let name: String
  private var tag: Data { name.data(using: .utf8)! }
  public var reason = ""

  public init(name: String) { self.name = name }

  private func query(_ half: Half) -> [String: Any] {
    [
      kSecClass as String: kSecClassKey,
      kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
      kSecAttrKeyClass as String: half.value,
      kSecAttrApplicationTag as String: tag,
    ]
  }

  /// The two halves; both are kept.
  public func generate() throws -> (open: SecKey, closed: SecKey) {
    let control = try FingerSafe.control(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet])
    let parameters: [String: Any] = [
      kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
      kSecAttrKeySizeInBits as String: NSNumber(value: 256),
      kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
      kSecPrivateKeyAttrs as String: [
        kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag, kSecAttrLabel as String: name,
        kSecAttrAccessControl as String: control,
      ],
      kSecPublicKeyAttrs as String: [kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag],
    ]
    var (open, closed): (SecKey?, SecKey?)
    let status = SecKeyGeneratePair(parameters as CFDictionary, &open, &closed)
    guard status == errSecSuccess, let open, let closed else { throw Problem.failed(status) }
    return (open, closed)
  }

  public func load(_ half: Half) throws -> SecKey {
    var query = query(half)
    query[kSecReturnRef as String] = true
    if half == .closed {
      let context = LAContext()
      context.localizedReason = reason
      query[kSecUseAuthenticationContext as String] = context
    }
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess else { throw Problem.failed(status) }
    return item as! SecKey
  }

  public func seal(_ text: String) throws -> Data {
    let key = try load(.open)
    let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    guard SecKeyIsAlgorithmSupported(key, .encrypt, algorithm) else { throw Problem.unsupported(.encrypt) }
    return try call { SecKeyCreateEncryptedData(key, algorithm, Data(text.utf8) as CFData, &$0) } as Data
  }

  public func open(_ sealed: Data) throws -> String {
    let key = try load(.closed)
    let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    guard SecKeyIsAlgorithmSupported(key, .decrypt, algorithm) else { throw Problem.unsupported(.decrypt) }
    return String(decoding: try call { SecKeyCreateDecryptedData(key, algorithm, sealed as CFData, &$0) } as Data, as: UTF8.self)
  }

  /// As other programs have it: SubjectPublicKeyInfo in PEM.
  public func pem() throws -> String {
    let key = try load(.open)
    let point = try call { SecKeyCopyExternalRepresentation(key, &$0) } as Data
    let head = Data(base64Encoded: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA=")!
    let body = (head + point).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN PUBLIC KEY-----\n\(body)\n-----END PUBLIC KEY-----"
  }

  /// Keeps a key that was made elsewhere, in the form of X9.63.
  public func bring(_ bytes: Data) throws {
    var query = query(.closed)
    query[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
    query[kSecValueRef as String] = try call {
      SecKeyCreateWithData(
        bytes as CFData,
        [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate] as CFDictionary,
        &$0)
    }
    let status = SecItemAdd(query as CFDictionary, nil)
    guard status == errSecSuccess else { throw Problem.failed(status) }
  }

  @discardableResult
  public func clear() -> Bool {
    [Half.open, .closed].allSatisfy { half in
      let status = SecItemDelete(query(half) as CFDictionary)
      return status == errSecSuccess || status == errSecItemNotFound
    }
  }

  private func call<Value>(_ body: (inout Unmanaged<CFError>?) -> Value?) throws -> Value {
    var error: Unmanaged<CFError>?
    guard let value = body(&error) else { throw Problem.other(error!.takeRetainedValue()) }
    return value
  }
}

extension KeyBox.Half: CaseIterable {}
