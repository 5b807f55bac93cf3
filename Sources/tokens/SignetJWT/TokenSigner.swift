import CCrypto
import SignetJSON
import SignetMemory

/// What signs tokens: a key in memory, or one that stays in a chip or in another process. Any thread may use it.
public protocol TokenSigner: Sendable {
  /// The key that verifies.
  var publicKey: JSONWebKey { get }
  /// A JWS signature (RFC 7518, 3.4: 64 bytes on P-256).
  ///
  /// - Throws: `JWTError.invalidKey` where the key cannot be used now.
  func signature(over input: [UInt8]) throws(JWTError) -> [UInt8]
}

/// A P-256 key in memory, for ES256. It is wiped when nobody has it any more.
public struct SigningKey: TokenSigner {
  private let key: Shared
  public let publicKey: JSONWebKey

  /// A new key. Its `kid` is its thumbprint where none is given.
  public init(keyID: String? = nil) { self.init(KeyPair(), keyID) }

  /// The key whose 32 bytes `rawRepresentation` gave.
  ///
  /// - Throws: `JWTError.invalidKey` where they are none.
  public init(rawRepresentation: [UInt8], keyID: String? = nil) throws(JWTError) {
    guard let key = KeyPair(rawRepresentation) else { throw .invalidKey }
    self.init(key, keyID)
  }

  private init(_ key: consuming KeyPair, _ keyID: String?) {
    let unnamed = JSONWebKey(.p256(key.point), keyID: nil)
    self.key = Shared(key)
    publicKey = JSONWebKey(unnamed.material, keyID: keyID ?? unnamed.thumbprint)
  }

  /// The secret: 32 bytes, to be sealed and nothing else.
  public var rawRepresentation: [UInt8] { key.pair.bytes }

  public func signature(over input: [UInt8]) throws(JWTError) -> [UInt8] {
    guard let signature = key.pair.signature(over: input) else { throw .invalidKey }
    return signature
  }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the secret.
  public var description: String { "SigningKey(\(publicKey.thumbprint))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// One key of all copies of a `SigningKey`.
private final class Shared: Sendable {
  let pair: KeyPair
  init(_ pair: consuming KeyPair) { self.pair = pair }
}

/// The number, and the point that belongs to it.
private struct KeyPair: ~Copyable, Sendable {
  private let secret: SecretBytes
  let point: [UInt8]

  // The arrays and buffers below are as long as libcrypto is told: that is each `unsafe`.

  init() {
    guard var secret = SecretBytes(capacity: Int(CES256_PRIVATE)) else { preconditionFailure("no memory") }
    var point = [UInt8](repeating: 0, count: Int(CES256_PUBLIC))
    _ = unsafe secret.replace { buffer in
      needLibrary(unsafe ces256_generate(buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), &point))
      return Int(CES256_PRIVATE)
    }
    self.secret = secret
    self.point = point
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Int(CES256_PRIVATE), var secret = SecretBytes(capacity: bytes.count), secret.append(bytes.span) else {
      return nil
    }
    var point = [UInt8](repeating: 0, count: Int(CES256_PUBLIC))
    guard unsafe ces256_public(bytes, &point) == Int32(CCRYPTO_OK) else { return nil }
    self.secret = secret
    self.point = point
  }

  var bytes: [UInt8] {
    // No longer array is left behind that had some of it.
    var bytes = [UInt8](repeating: 0, count: secret.count)
    for index in bytes.indices { bytes[index] = secret.span[index] }
    return bytes
  }

  func signature(over input: [UInt8]) -> [UInt8]? {
    var signature = [UInt8](repeating: 0, count: Int(CES256_SIGNATURE))
    let code = unsafe secret.span.withUnsafeBufferPointer { key in
      unsafe ces256_sign(key.baseAddress!, point, input, input.count, &signature)
    }
    return code == Int32(CCRYPTO_OK) ? signature : nil
  }
}
