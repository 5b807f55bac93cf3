import CCrypto
import CSodium
import SignetDigest
import SignetMemory

/// Why nothing was signed.
public enum SigningError: Error, Equatable, Sendable {
  /// OpenSSL's libcrypto (`libcrypto.so.3`) is not installed.
  case noLibrary
  /// The bytes are no key, or there is no memory.
  case refused
}

/// A key that signs tokens, or for its owner: ES256 of RFC 7518. Safe from any thread.
public struct ES256Key: ~Copyable, Sendable {
  /// Whether libcrypto is there; it is loaded for that.
  public static var isAvailable: Bool { ccrypto_is_available() != 0 }
  /// Bytes of the private key.
  public static let privateLength = Int(CES256_PRIVATE)
  /// The private key, a number with the highest byte first.
  public let secret: SecretBytes
  public let publicKey: ES256PublicKey

  /// A new pair.
  public init(random: Void) throws(SigningError) {
    guard var secret = SecretBytes(capacity: ES256Key.privateLength) else { throw .refused }
    var point = [UInt8](repeating: 0, count: ES256PublicKey.length)
    var code: Int32 = 0
    _ = unsafe secret.replace { buffer in
      code = unsafe ces256_generate(buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), &point)
      return ES256Key.privateLength
    }
    try check(code)
    guard let publicKey = ES256PublicKey(point) else { throw .refused }
    self.secret = secret
    self.publicKey = publicKey
  }

  /// `nil` where the lengths are others. Whether the two belong together is not looked at.
  public init?(secret: consuming SecretBytes, point: [UInt8]) {
    guard secret.count == ES256Key.privateLength, let publicKey = ES256PublicKey(point) else { return nil }
    self.secret = secret
    self.publicKey = publicKey
  }

  /// Appends the private key and the point; false where they do not fit.
  public func append(to bytes: inout SecretBytes) -> Bool {
    let point = publicKey.point
    return bytes.append(secret.span) && bytes.append(point.span)
  }

  /// The signature of RFC 7515: r and s, 32 bytes each.
  public func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(CES256_SIGNATURE))
    let code = unsafe secret.span.withUnsafeBufferPointer { key in
      unsafe ces256_sign(key.baseAddress!, publicKey.point, message, message.count, &signature)
    }
    try check(code)
    return signature
  }

  /// The same of what is hashed already. `refused` also where the private key is not that of the public one.
  public func sign(digest: [UInt8]) throws(SigningError) -> [UInt8] {
    guard digest.count == CCRYPTO_SHA256 else { throw .refused }
    var signature = [UInt8](repeating: 0, count: Int(CES256_SIGNATURE))
    let code = unsafe secret.span.withUnsafeBufferPointer { key in
      unsafe ces256_sign_digest(key.baseAddress!, publicKey.point, digest, &signature)
    }
    try check(code)
    return signature
  }
}

/// What two keys agree on.
extension ES256Key {
  /// x of the point that this key and another's public one agree on (ECDH of SEC 1, section 3.3.1). `refused` also where the private key is not
  /// that of the public one, and where the other is not on the curve.
  public func agree(with other: ES256PublicKey) throws(SigningError) -> SecretBytes {
    guard var shared = SecretBytes(capacity: ES256Key.privateLength) else { throw .refused }
    var own = [UInt8](repeating: 0, count: ES256PublicKey.length)
    var code = Int32(CCRYPTO_REFUSED)
    _ = unsafe shared.replace { buffer in
      let buffer = unsafe buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
      code = unsafe secret.span.withUnsafeBufferPointer { key in
        let found = unsafe ces256_public(key.baseAddress!, &own)
        guard found == Int32(CCRYPTO_OK) else { return found }
        return unsafe own == publicKey.point ? ces256_agree(key.baseAddress!, other.point, buffer) : Int32(CCRYPTO_REFUSED)
      }
      return ES256Key.privateLength
    }
    try check(code)
    return shared
  }
}

/// What verifies such a key's signatures.
public struct ES256PublicKey: Equatable, Sendable {
  public static let length = Int(CES256_PUBLIC)
  /// x and y, 32 bytes each.
  public let point: [UInt8]

  public init?(_ point: [UInt8]) {
    guard point.count == ES256PublicKey.length else { return nil }
    self.point = point
  }

  /// Whether the two are a point of the curve.
  public var isOnCurve: Bool { unsafe ces256_is_public(point) == Int32(CCRYPTO_OK) }

  /// Whether this is the signature of the message.
  public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Int(CES256_SIGNATURE) else { return false }
    return unsafe ces256_verify(point, message, message.count, signature) == Int32(CCRYPTO_OK)
  }

  /// The same of what is hashed already.
  public func verifies(_ signature: [UInt8], ofDigest digest: [UInt8]) -> Bool {
    guard signature.count == Int(CES256_SIGNATURE), digest.count == CCRYPTO_SHA256 else { return false }
    var der = [UInt8](repeating: 0, count: Int(CES256_DER))
    let length = unsafe ces256_der(signature, &der)
    guard length > 0 else { return false }
    return unsafe ces256_verify_digest(point, digest, der, length) == Int32(CCRYPTO_OK)
  }

  private var x: String { Base64URL.text(Array(point.prefix(point.count / 2))) }
  private var y: String { Base64URL.text(Array(point.suffix(point.count / 2))) }

  /// By which a token names its key: the thumbprint of RFC 7638.
  public var identifier: String {
    let form = "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(x)\",\"y\":\"\(y)\"}"
    return Base64URL.text(SHA256.hash(Array(form.utf8).span))
  }

  /// As a key of a set (RFC 7517).
  public var jwk: String {
    var text = JSONObject()
    text.add("kty", "EC")
    text.add("crv", "P-256")
    text.add("x", x)
    text.add("y", y)
    text.add("kid", identifier)
    text.add("use", "sig")
    text.add("alg", "ES256")
    return text.text
  }
}

private func check(_ code: Int32) throws(SigningError) {
  switch Int(code) {
  case CCRYPTO_OK: return
  case CCRYPTO_NO_LIBRARY: throw .noLibrary
  default: throw .refused
  }
}

/// base64url of RFC 4648, section 5, without padding, as RFC 7515 wants it.
public enum Base64URL {
  public static func text(_ bytes: [UInt8]) -> String {
    var output = [CChar](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
    // It fails where the output is too short only, and fills it with zeros.
    _ = unsafe sodium_bin2base64(&output, output.count, bytes, bytes.count, Int32(variant))
    return String(decoding: output.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
