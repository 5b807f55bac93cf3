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

/// Whether a key can do this: a private half signs and a public one verifies by ECDSA, and a private one in this process takes part in ECDH.
public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  switch operation {
  case .sign: key.isPrivate && SignatureForm(algorithm) != nil
  case .verify: !key.isPrivate && SignatureForm(algorithm) != nil
  case .keyExchange: key.isPrivate && key.held == nil && ExchangeForm(algorithm) != nil
  case .encrypt, .decrypt: false
  }
}

/// What a private half in this process and a public one agree on, by an algorithm of ECDH.
///
/// - Parameter parameters: of an algorithm that derives bytes, `SecKeyKeyExchangeParameter.requestedSize` and, where both sides have one,
///   `sharedInfo`.
/// - Returns: `nil` with `errSecParam` where a parameter is missing or the key does not know the algorithm, as those that signetd holds.
public func SecKeyCopyKeyExchangeResult(
  _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in
    guard let form = ExchangeForm(algorithm), case .inMemory(let number) = privateKey.half else { throw .unknown(algorithm) }
    let fields = try ItemQuery.fields(parameters)
    let size = (fields["requestedSize"] as? NSNumber)?.intValue
    return try form.result(of: P256.agree(number, with: publicKey.point), size, fields["sharedInfo"] as? Data) as CFData
  }
}

/// Encryption is not there: `errSecParam`, as of a key that does not know an algorithm.
public func SecKeyCreateEncryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in throw .unknown(algorithm) }
}

/// Encryption is not there: `errSecParam`, as of a key that does not know an algorithm.
public func SecKeyCreateDecryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in throw .unknown(algorithm) }
}

extension KeychainError {
  fileprivate static func unknown(_ algorithm: SecKeyAlgorithm) -> KeychainError {
    KeychainError(errSecParam, "The key does not know the algorithm \(algorithm.text) for this.")
  }
}
