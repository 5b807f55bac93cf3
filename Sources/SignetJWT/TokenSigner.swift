import Crypto
import SignetJSON

/// What signs tokens: a key in memory, or one that stays in a chip or in another process. Any thread may use it.
public protocol TokenSigner: Sendable {
  /// The key that verifies.
  var publicKey: JSONWebKey { get }
  /// A JWS signature (RFC 7518, 3.4: 64 bytes on P-256).
  ///
  /// - Throws: `JWTError.invalidKey` where the key cannot be used now.
  func signature(over input: [UInt8]) throws(JWTError) -> [UInt8]
}

/// A P-256 key in memory, for ES256. swift-crypto wipes it.
public struct SigningKey: TokenSigner {
  private let key: P256.Signing.PrivateKey
  public let publicKey: JSONWebKey

  /// A new key. Its `kid` is its thumbprint where none is given.
  public init(keyID: String? = nil) { self.init(P256.Signing.PrivateKey(), keyID) }

  /// The key whose 32 bytes `rawRepresentation` gave.
  ///
  /// - Throws: `JWTError.invalidKey` where they are none.
  public init(rawRepresentation: [UInt8], keyID: String? = nil) throws(JWTError) {
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: rawRepresentation) else { throw .invalidKey }
    self.init(key, keyID)
  }

  private init(_ key: P256.Signing.PrivateKey, _ keyID: String?) {
    self.key = key
    let unnamed = JSONWebKey(.p256(key.publicKey), keyID: nil)
    publicKey = JSONWebKey(unnamed.material, keyID: keyID ?? unnamed.thumbprint)
  }

  /// The secret: 32 bytes, to be sealed and nothing else.
  public var rawRepresentation: [UInt8] { Array(key.rawRepresentation) }

  public func signature(over input: [UInt8]) throws(JWTError) -> [UInt8] {
    guard let signature = try? key.signature(for: input) else { throw .invalidKey }
    return Array(signature.rawRepresentation)
  }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the secret.
  public var description: String { "SigningKey(\(publicKey.thumbprint))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
