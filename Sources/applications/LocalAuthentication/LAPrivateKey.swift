/// A key of P-256 that a right releases. It is made when it is first used, and signetd holds it for as long as the right is kept.
///
/// Each use throws `LAError.notInteractive` where the right is not authorized, or no more, as five minutes after it was.
public final class LAPrivateKey: NSObject, Sendable {
  private let right: LAPersistedRight

  init(_ right: LAPersistedRight) { self.right = right }

  public var publicKey: LAPublicKey { LAPublicKey(self) }

  /// The signature of data by an algorithm of ECDSA.
  public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await use { key in try unsafe RightKey.result { unsafe SecKeyCreateSignature(key, algorithm, data as CFData, $0) } }
  }

  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyOperationType.sign.knows(algorithm) }

  /// What was encrypted for the public half, by an algorithm of ECIES.
  public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await use { key in try unsafe RightKey.result { unsafe SecKeyCreateDecryptedData(key, algorithm, data as CFData, $0) } }
  }

  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyOperationType.decrypt.knows(algorithm) }

  /// What the key and another's public one agree on, by an algorithm of ECDH.
  ///
  /// - Parameters:
  ///   - publicKey: as X9.63 has it: 4, x and y.
  ///   - parameters: as of `SecKeyCopyKeyExchangeResult`.
  public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
  ) async throws -> Data {
    let other = try RightKey.publicHalf(publicKey)
    nonisolated(unsafe) let parameters = parameters as CFDictionary
    return try await use { key in
      try unsafe RightKey.result { unsafe SecKeyCopyKeyExchangeResult(key, algorithm, other, parameters, $0) }
    }
  }

  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyOperationType.keyExchange.knows(algorithm) }

  private func use(_ body: @escaping @Sendable (SecKey) throws -> Data) async throws -> Data {
    guard right.state == .authorized else { throw LAError(.notInteractive) }
    let (identifier, requirement, context) = (right.identifier, right.requirement, right.context)
    do {
      return try await onOwnThread { try body(RightKey.found(identifier, requirement, context)) }
    } catch {
      if (error as? LAError)?.code == .notInteractive { right.takeBack() }
      throw error
    }
  }

  /// Asks for nothing, and for no right.
  fileprivate func publicHalf() async throws -> SecKey {
    let (identifier, requirement, context) = (right.identifier, right.requirement, right.context)
    return try await onOwnThread {
      guard let key = SecKeyCopyPublicKey(try RightKey.found(identifier, requirement, context)) else {
        throw LAError(.invalidContext)
      }
      return key
    }
  }
}

/// The public half of a right's key, which needs no right.
public final class LAPublicKey: NSObject, Sendable {
  private let key: LAPrivateKey

  fileprivate init(_ key: LAPrivateKey) { self.key = key }

  /// As X9.63 has it: 4, x and y.
  public var bytes: Data {
    get async throws {
      let key = try await key.publicHalf()
      return try unsafe RightKey.result { unsafe SecKeyCopyExternalRepresentation(key, $0) }
    }
  }

  /// Throws where the signature is not that of the data.
  public func verify(_ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm) async throws {
    let key = try await key.publicHalf()
    var error: Unmanaged<CFError>?
    let isRight = unsafe SecKeyVerifySignature(key, algorithm, signedData as CFData, signature as CFData, &error)
    if let reason = unsafe error?.takeRetainedValue() { throw reason }
    if !isRight { throw LAError(.invalidContext) }
  }

  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyOperationType.verify.knows(algorithm) }

  /// For the private half, by an algorithm of ECIES.
  public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    let key = try await key.publicHalf()
    return try unsafe RightKey.result { unsafe SecKeyCreateEncryptedData(key, algorithm, data as CFData, $0) }
  }

  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyOperationType.encrypt.knows(algorithm) }
}

/// How the key of a right is kept.
enum RightKey {
  private static let label = "LARight"

  private static func query(_ identifier: String? = nil) -> [CFString: Any] {
    let all: [CFString: Any] = unsafe [kSecClass: kSecClassKey, kSecAttrLabel: label]
    return identifier.map { unsafe all.merging([kSecAttrApplicationTag: Data("\(label) \($0)".utf8)]) { $1 } } ?? all
  }

  /// The key of a right, which is made where there is none.
  static func found(_ identifier: String, _ requirement: LAAuthenticationRequirement, _ context: LAContext) throws -> SecKey {
    let silent: [CFString: Any] = unsafe [
      kSecUseAuthenticationContext: context, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
    ]
    var key: CFTypeRef?
    let asked = unsafe query(identifier).merging([kSecReturnRef: true]) { $1 }.merging(silent) { $1 }
    let status = unsafe SecItemCopyMatching(asked as CFDictionary, &key)
    if status != errSecItemNotFound { try RightItem.check(status) }
    if let key = key as? SecKey { return key }
    guard let control = requirement.accessControl else { throw LAError(.notInteractive) }
    let kind: [CFString: Any] = unsafe [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrIsPermanent: true, kSecAttrAccessControl: control,
    ]
    var parameters = query(identifier).merging(kind) { $1 }.merging(silent) { $1 }
    unsafe parameters[kSecClass] = nil
    return try unsafe result { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
  }

  /// Of one right, or of all; none is no error.
  static func remove(_ identifier: String? = nil) throws {
    let status = SecItemDelete(query(identifier) as CFDictionary)
    if status != errSecItemNotFound { try RightItem.check(status) }
  }

  static func publicHalf(_ bytes: Data) throws -> SecKey {
    let kind: [CFString: Any] = unsafe [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
    ]
    return try unsafe result { unsafe SecKeyCreateWithData(bytes as CFData, kind as CFDictionary, $0) }
  }

  static func result(_ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> CFData?) throws -> Data {
    let data: CFData = try unsafe result(call)
    return data as Data
  }

  /// What a call gives, or why it does not.
  static func result<Value>(_ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?) throws -> Value {
    var error: Unmanaged<CFError>?
    if let value = unsafe call(&error) { return value }
    guard let reason = unsafe error?.takeRetainedValue() else { throw LAError(.invalidContext) }
    try RightItem.check(OSStatus(reason.code))
    throw reason
  }
}
