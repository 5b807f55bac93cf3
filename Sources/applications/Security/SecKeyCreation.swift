import SignetCoreFoundation

/// Makes a key for ECDSA over P-256.
///
/// A permanent one is made in signetd and held there, whether a token is named or not: its private half never comes into this process, and
/// `SecItemCopyMatching` finds it by its tag. One that is not permanent lies in this process's memory, and ends with it; a forked child has
/// none. Blocks where the passcode has to open the vault.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` of an elliptic curve, `kSecAttrKeySizeInBits` 256 where it is said, `kSecAttrTokenIDSecureEnclave` or no
///     token, and, here or in `kSecPrivateKeyAttrs`, `kSecAttrIsPermanent`, `kSecAttrApplicationTag` (as text at most 256 bytes; a byte that
///     is none of printable ASCII counts as three), `kSecAttrLabel`, `kSecAttrAccessControl` and `kSecUseAuthenticationContext`.
///     What `kSecPublicKeyAttrs` says is for the public half, which is stored where that is permanent, too.
///   - error: where to put the reason of a failure, which the caller owns (`takeRetainedValue()`): `errSecParam`; `errSecUnimplemented` for
///     another kind of key, one that can be extracted and is permanent, and one of the token that is not; and those of `SecItemAdd`.
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> SecKey? {
  unsafe given(error) { () throws(KeychainError) in
    let query = try ItemQuery(ofKey: parameters)
    let key = try query.newKey { (query) throws(KeychainError) in
      try query.calls.make { (keychain) throws(KeychainError) in try keychain.makeKey(query) }
    }
    guard let publicHalf = try ItemQuery(ofPublicHalf: key, parameters) else { return key }
    try query.calls.make { (keychain) throws(KeychainError) in try keychain.addPublicHalf(publicHalf, of: key) }
    return key
  }
}

/// As `SecKeyCreateRandomKey`, with both halves.
@discardableResult
public func SecKeyGeneratePair(
  _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?, _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
  var error: Unmanaged<CFError>?
  guard let key = unsafe SecKeyCreateRandomKey(parameters, &error) else {
    return unsafe OSStatus(error?.takeRetainedValue().code ?? Int(errSecInternalComponent))
  }
  unsafe privateKey?.pointee = key
  unsafe publicKey?.pointee = SecKeyCopyPublicKey(key)
  return errSecSuccess
}

/// A key from its bytes, which lies in this process: 4, x and y of a public half (`kSecAttrKeyClassPublic`), and behind that the private
/// number of a private one (`kSecAttrKeyClassPrivate`).
///
/// - Returns: `nil` with `errSecParam` where the bytes are no such key, and `errSecUnimplemented` for another kind of key or one of a token.
public func SecKeyCreateWithData(
  _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  unsafe given(error) { () throws(KeychainError) in
    let query = try ItemQuery(ofKey: attributes)
    guard query.attributes["tkid"] == nil else { throw KeychainError(errSecUnimplemented, "No bytes stand for a token's key.") }
    return try SecKey(keyData as Data, query.attributes)
  }
}

extension ItemQuery {
  /// What a program says of a key that is to be made: what it says of the private half counts before what it says of both.
  init(ofKey parameters: CFDictionary) throws(KeychainError) {
    var all = try ItemQuery.fields(parameters)
    all["public"] = nil
    if let own = all.removeValue(forKey: "private") {
      guard let own = own as? CFDictionary else { throw KeychainError(errSecParam) }
      all.merge(try ItemQuery.fields(own)) { $1 }
    }
    all["class"] = ItemClass.key.rawValue
    try self.init(all as CFDictionary, for: .add)
    guard attributes["type"] != nil else { throw KeychainError(errSecParam, "kSecAttrKeyType is missing.") }
    try checkKind()
    guard !isOfToken else { throw KeychainError(errSecUnimplemented, "There is no token here but kSecAttrTokenIDSecureEnclave.") }
  }

  /// What a program says of the public half of a key that was made; `nil`: it is not to be stored.
  init?(ofPublicHalf key: SecKey, _ parameters: CFDictionary) throws(KeychainError) {
    var all = try ItemQuery.fields(parameters)
    all["private"] = nil
    if let own = all.removeValue(forKey: "public") {
      guard let own = own as? CFDictionary else { throw KeychainError(errSecParam) }
      all.merge(try ItemQuery.fields(own)) { $1 }
    }
    guard (all["perm"] as? NSNumber)?.boolValue == true, let publicHalf = SecKeyCopyPublicKey(key) else { return nil }
    // Whoever has a public half needs nobody's leave to use it.
    all = all.filter { ["atag", "labl", "pdmn", "agrp"].contains($0.key) || $0.key.hasPrefix("u_") }
    all["v_Ref"] = publicHalf
    try self.init(all as CFDictionary, for: .add)
  }

  /// In this process where the key is not permanent.
  ///
  /// - Parameter hold: has signetd make it.
  func newKey(_ hold: (ItemQuery) throws(KeychainError) -> HeldKey) throws(KeychainError) -> SecKey {
    guard synchronizable != .yes, reference == nil else { throw KeychainError(errSecParam) }
    guard attributes["klbl"] == nil else {
      throw KeychainError(errSecUnimplemented, "kSecAttrApplicationLabel is SHA-1 of the public half: no program chooses it.")
    }
    if isSaid("perm") {
      guard !isSaid("extr") else { throw KeychainError(errSecUnimplemented, "What signetd holds cannot be extracted.") }
      return SecKey(try hold(self))
    }
    guard attributes["tkid"] == nil else {
      throw KeychainError(errSecUnimplemented, "signetd holds permanent keys only: kSecAttrIsPermanent has to be true.")
    }
    // Nobody would ask for it.
    guard control == nil || control?.flags == .privateKeyUsage || control?.flags == [] else {
      throw KeychainError(errSecParam, "An access control guards permanent keys only.")
    }
    let (number, point) = try P256.generate()
    return SecKey(.inMemory(number), point)
  }

  private func isSaid(_ key: String) -> Bool { attributes[key]?.isNothing == false }
}

extension Keychain where Vault: ~Copyable {
  /// Stores the public half of a key that was just made, or takes that back.
  mutating func addPublicHalf(_ query: ItemQuery, of key: SecKey) throws(KeychainError) {
    do throws(KeychainError) { _ = try add(query) } catch {
      if let name = key.held?.name { try vault.delete(name) }
      throw error
    }
  }
}
