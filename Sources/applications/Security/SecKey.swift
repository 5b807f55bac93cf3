import SignetCoreFoundation

/// Half of a key for ECDSA over P-256: a public one, or a private one that lies in this process or that signetd holds. Immutable, so any
/// thread may use it.
///
/// What signetd holds is what is permanent. Its private half never comes here: `SecKeyCreateSignature` asks signetd, which asks the owner
/// for what the key's access control says.
public final class SecKey: NSObject, @unchecked Sendable {
  enum Half {
    case publicHalf
    case inMemory(P256.PrivateNumber)
    case held(HeldKey)
  }

  let half: Half
  /// 4, x and y (SEC 1, section 2.3.3).
  let point: [UInt8]

  init(_ half: Half, _ point: [UInt8]) { (self.half, self.point) = (half, point) }

  convenience init(_ key: HeldKey) { self.init(.held(key), key.point) }

  /// Of a key that signetd holds.
  var held: HeldKey? {
    if case .held(let key) = half { key } else { nil }
  }

  var isPrivate: Bool {
    if case .publicHalf = half { false } else { true }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecKey else { return false }
    return point == other.point && isPrivate == other.isPrivate && held?.name == other.held?.name
  }

  public override var hash: Int { point.hashValue }
  public override var description: String { "<SecKey: \(isPrivate ? "private" : "public") half, P-256>" }
}

extension SecKey: CoreFoundationObject {
  package static let typeID: CFTypeID = 302
}

/// What `CFGetTypeID` says of a key.
public func SecKeyGetTypeID() -> CFTypeID { SecKey.typeID }

/// The public half of a key; a public one is its own.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key.isPrivate ? SecKey(.publicHalf, key.point) : key }

/// Bytes of a coordinate, as Apple counts a block of an elliptic curve's key.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { P256.length }

/// A key as X9.63 has it: 4, x and y, and behind that the private number of a private half that lies in this process.
///
/// - Returns: `nil` with `errSecUnimplemented` for a private half that signetd holds.
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> CFData? {
  unsafe given(error) { () throws(KeychainError) in
    guard let bytes = key.bytes else {
      throw KeychainError(errSecUnimplemented, "The private half of this key never leaves signetd.")
    }
    return bytes as CFData
  }
}

/// What is known of a key, by the `kSecAttr` keys.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
  if let held = key.held { return held.item.dictionary().merging(["class": ItemClass.key.rawValue]) { $1 } as CFDictionary }
  var attributes = KeychainItem.attributes(ofKey: key.isPrivate ? .privateInMemory : .publicHalf).mapValues(\.object)
  attributes["class"] = ItemClass.key.rawValue
  if let label = KeychainItem.label(ofPoint: key.point) { attributes["klbl"] = label.object }
  if !key.isPrivate { attributes["v_Data"] = Data(key.point) }
  return attributes as CFDictionary
}
