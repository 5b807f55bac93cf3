import CCrypto
import SignetJSON

/// A public key (JWK, RFC 7517): P-256, RSA or Ed25519.
public struct JSONWebKey: Sendable {
  enum Material: Sendable {
    /// x and y.
    case p256([UInt8])
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case ed25519([UInt8])
  }

  let material: Material
  /// `kid`.
  public let keyID: String?

  init(_ material: Material, keyID: String?) {
    self.material = material
    self.keyID = keyID
  }

  /// The one algorithm that the key is used with here.
  public var algorithm: SignatureAlgorithm {
    switch material {
    case .p256: .es256
    case .rsa: .rs256
    case .ed25519: .edDSA
    }
  }

  /// Reads a key.
  ///
  /// - Throws: `JWTError.invalidKey` where its kind is not known, a member is missing or not canonical, the point is not on
  ///   the curve, the RSA key is below 2048 or above 8192 bits, the key is a private one, or `use`, `key_ops` or `alg` say
  ///   that it is for something other than verifying signatures.
  public init(_ members: JSONObject) throws(JWTError) {
    guard JSONWebKey.isForVerifying(members) else { throw .invalidKey }
    switch members["kty"]?.string {
    case "EC" where members["crv"]?.string == "P-256": material = try JSONWebKey.p256(members)
    case "RSA": material = try JSONWebKey.rsa(members)
    case "OKP" where members["crv"]?.string == "Ed25519": material = try JSONWebKey.ed25519(members)
    default: throw .invalidKey
    }
    if let keyID = members["kid"] {
      guard let keyID = keyID.string else { throw .invalidKey }
      self.keyID = keyID
    } else {
      keyID = nil
    }
    if let named = members["alg"] { guard named.string == algorithm.rawValue else { throw .invalidKey } }
  }

  private static func isForVerifying(_ members: JSONObject) -> Bool {
    // Whoever sends a private or symmetric key around has made a mistake that must not go on here.
    guard members["d"] == nil, members["k"] == nil else { return false }
    if let use = members["use"], use.string != "sig" { return false }
    if let operations = members["key_ops"], operations.strings?.contains("verify") != true { return false }
    return true
  }

  private static func bytes(_ name: String, _ members: JSONObject, atMost limit: Int) throws(JWTError) -> [UInt8] {
    guard let text = members[name]?.string, text.utf8.count <= limit * 4 / 3 + 3, let bytes = Base64URL.decode(text),
      !bytes.isEmpty, bytes.count <= limit
    else { throw .invalidKey }
    return bytes
  }

  private static func p256(_ members: JSONObject) throws(JWTError) -> Material {
    let x = try bytes("x", members, atMost: 32)
    let y = try bytes("y", members, atMost: 32)
    // The array is as long as libcrypto expects.
    guard x.count == 32, y.count == 32, unsafe ces256_is_public(x + y) == Int32(CCRYPTO_OK) else { throw .invalidKey }
    return .p256(x + y)
  }

  private static func rsa(_ members: JSONObject) throws(JWTError) -> Material {
    let modulus = try bytes("n", members, atMost: 1024)
    let exponent = try bytes("e", members, atMost: 4)
    // RFC 7518, 2: the fewest octets. The thumbprint would not be one otherwise.
    guard modulus[0] != 0, exponent[0] != 0, modulus.count * 8 - modulus[0].leadingZeroBitCount >= 2048 else {
      throw .invalidKey
    }
    // Neither product nor exponent of a key is even, and 1 signs everything.
    guard modulus[modulus.count - 1] & 1 == 1, exponent[exponent.count - 1] & 1 == 1, exponent != [1] else { throw .invalidKey }
    return .rsa(modulus: modulus, exponent: exponent)
  }

  private static func ed25519(_ members: JSONObject) throws(JWTError) -> Material {
    let x = try bytes("x", members, atMost: 32)
    guard x.count == 32 else { throw .invalidKey }
    return .ed25519(x)
  }
}

extension JSONWebKey {
  /// Whether the signature is this key's; never with another algorithm than the key's own.
  func verifies(_ signature: [UInt8], over input: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
    guard algorithm == self.algorithm else { return false }
    // The arrays are as long as libcrypto is told: that is each `unsafe` below.
    let code =
      switch material {
      case .p256(let point) where signature.count == Int(CES256_SIGNATURE):
        unsafe ces256_verify(point, input, input.count, signature)
      case .rsa(let modulus, let exponent) where signature.count == modulus.count:
        unsafe modulus.withUnsafeBufferPointer { modulus in
          unsafe exponent.withUnsafeBufferPointer { exponent in
            var key = unsafe crs256_key(
              modulus: modulus.baseAddress, modulus_length: modulus.count, exponent: exponent.baseAddress,
              exponent_length: exponent.count)
            return unsafe crs256_verify(&key, input, input.count, signature)
          }
        }
      case .ed25519(let x) where signature.count == Int(CEDDSA_SIGNATURE): unsafe ceddsa_verify(x, input, input.count, signature)
      default: Int32(CCRYPTO_REFUSED)
      }
    return code == Int32(CCRYPTO_OK)
  }

  /// The members that make the key (RFC 7638, 3.2), and no others.
  public var requiredMembers: JSONObject {
    switch material {
    case .p256(let point):
      return [
        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point.prefix(32))),
        "y": .string(Base64URL.encode(point.suffix(32))),
      ]
    case .rsa(let modulus, let exponent):
      return ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
    case .ed25519(let x):
      return ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(x))]
    }
  }

  /// The key as a set gives it out: what makes it, and what it is for.
  public var members: JSONObject {
    var members = requiredMembers
    members["alg"] = .string(algorithm.rawValue)
    members["use"] = "sig"
    if let keyID { members["kid"] = .string(keyID) }
    return members
  }

  /// The SHA-256 thumbprint, base64url (RFC 7638): what `cnf.jkt` names.
  public var thumbprint: String { Base64URL.encode(SHA2.sha256(requiredMembers.encoded)) }
}
