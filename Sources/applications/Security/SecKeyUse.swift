import SignetCoreFoundation

/// Signs with a private half, by an algorithm of ECDSA. Of one that signetd holds the owner proves what the key's access control asks for,
/// where the context of `kSecUseAuthenticationContext` has not proved it; the call blocks until then.
///
/// - Returns: `nil` with `errSecParam` where the key does not know the algorithm or a digest has another length than the algorithm says, and
///   with the errors of `SecItemCopyMatching`: `errSecUserCanceled`, `errSecAuthFailed`, `errSecInteractionNotAllowed`, ...
public func SecKeyCreateSignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in
    guard let form = SignatureForm(algorithm), key.isPrivate else { throw .unknown(algorithm) }
    let number = try form.number(of: dataToSign as Data)
    let signature: [UInt8]
    switch key.half {
    case .publicHalf: throw .unknown(algorithm)
    case .inMemory(let secret): signature = try P256.sign(number, by: secret, key.point)
    case .held(let key): signature = try key.sign(number)
    }
    return Data(form.isRaw ? signature : try P256.der(signature)) as CFData
  }
}

/// Whether a signature is that of the data, by a public half.
///
/// - Returns: `false` with `errSecVerifyFailed` where it is not, and with `errSecParam` as for `SecKeyCreateSignature`.
public func SecKeyVerifySignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
  unsafe given(error) { () throws(KeychainError) in
    guard let form = SignatureForm(algorithm), !key.isPrivate else { throw .unknown(algorithm) }
    let number = try form.number(of: signedData as Data)
    guard let der = try form.der(signature as Data), try P256.verifies(der, of: number, by: key.point) else {
      throw KeychainError(errSecVerifyFailed)
    }
    return true
  } ?? false
}

/// Whether a key can do this: a private half signs and a public one verifies by ECDSA; a private one takes part in ECDH; a public one encrypts and
/// a private one decrypts by ECIES.
public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  key.isPrivate == operation.isOfPrivateHalf && operation.knows(algorithm)
}

extension SecKeyOperationType {
  fileprivate var isOfPrivateHalf: Bool { self == .sign || self == .decrypt || self == .keyExchange }

  /// Whether one of a key's halves does this so.
  package func knows(_ algorithm: SecKeyAlgorithm) -> Bool {
    switch self {
    case .sign, .verify: SignatureForm(algorithm) != nil
    case .keyExchange: ExchangeForm(algorithm) != nil
    case .encrypt, .decrypt: EncryptionForm(algorithm) != nil
    }
  }
}

/// What a private half and a public one agree on, by an algorithm of ECDH. Of one that signetd holds the owner proves what its access control
/// asks for, as before a signature.
///
/// - Parameter parameters: of an algorithm that derives bytes, `SecKeyKeyExchangeParameter.requestedSize` and, where both sides have one,
///   `sharedInfo`.
/// - Returns: `nil` with `errSecParam` where a parameter is missing or the key does not know the algorithm, and with the errors of
///   `SecKeyCreateSignature`.
public func SecKeyCopyKeyExchangeResult(
  _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in
    guard let form = ExchangeForm(algorithm), privateKey.isPrivate else { throw .unknown(algorithm) }
    let parameters = try ExchangeForm.Parameters(parameters)
    try form.check(parameters)
    return try form.result(of: privateKey.agree(with: publicKey.point), parameters) as CFData
  }
}

/// Encrypts for whoever has the private half, by an algorithm of ECIES.
///
/// - Returns: `nil` with `errSecParam` where the key is no public half or does not know the algorithm.
public func SecKeyCreateEncryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in
    guard let form = EncryptionForm(algorithm), !key.isPrivate else { throw .unknown(algorithm) }
    return try form.encrypted(plaintext as Data, for: key.point) as CFData
  }
}

/// Decrypts what was encrypted for the public half. Of a key that signetd holds the owner is asked as before a signature.
///
/// - Returns: `nil` with `errSecParam` where the bytes were not encrypted so, the key is no private half or does not know the algorithm, and with
///   the errors of `SecKeyCreateSignature`.
public func SecKeyCreateDecryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in
    guard let form = EncryptionForm(algorithm), key.isPrivate else { throw .unknown(algorithm) }
    return try form.decrypted(ciphertext as Data) { (point) throws(KeychainError) in try key.agree(with: point) } as CFData
  }
}

extension SecKey {
  /// x of what this private half and another's point, which is on the curve, agree on.
  fileprivate func agree(with point: [UInt8]) throws(KeychainError) -> P256.PrivateNumber {
    switch half {
    case .publicHalf: throw KeychainError(errSecParam)
    case .inMemory(let number): try P256.agree(number, with: point)
    case .held(let key): try key.agree(with: point)
    }
  }
}

extension KeychainError {
  fileprivate static func unknown(_ algorithm: SecKeyAlgorithm) -> KeychainError {
    KeychainError(errSecParam, "The key does not know the algorithm \(algorithm.text) for this.")
  }
}
