import SignetTokenServices
import SignetBytes
import SignetJSON
import SignetJWT
import SignetMemory
import SignetSessionTokens
import Synchronization

/// The key by which this device proves itself to a provider (RFC 7523): a refresh token alone is then of no use elsewhere. It is
/// sealed with the refresh token, as one item, so that one finger releases both; in memory it is while the binding is signed in.
final class BindingKey: TokenSigner {
  let publicKey: JSONWebKey
  private let key: Mutex<SigningKey?>

  /// A new one.
  init() {
    let new = SigningKey()
    publicKey = new.publicKey
    key = Mutex(new)
  }

  /// The one whose public half was recorded; `nil` where the record has none.
  init?(record: String) {
    guard let members = try? JSONReader.object(Array(record.utf8), limit: 4096), let publicKey = try? JSONWebKey(members) else {
      return nil
    }
    self.publicKey = publicKey
    key = Mutex(nil)
  }

  /// The public half, for the record.
  var record: String { String(decoding: publicKey.members.encoded, as: UTF8.self) }

  func signature(over input: [UInt8]) throws(JWTError) -> [UInt8] {
    guard let key = key.withLock({ $0 }) else { throw .invalidKey }
    return try key.signature(over: input)
  }

  func lock() { key.withLock { $0 = nil } }

  // MARK: - sealed with a token

  /// The key, in hexadecimal digits.
  var digits: String {
    get throws(TokenStorageError) {
      guard let key = key.withLock({ $0 }) else { throw .locked }
      return key.rawRepresentation.hexadecimal
    }
  }

  /// Takes the key that was released.
  func take(_ digits: String) throws(TokenStorageError) {
    guard let bytes = SecretBytes(hexadecimal: digits, count: 32),
      let released = try? SigningKey(rawRepresentation: Array(copying: bytes.span), keyID: publicKey.keyID),
      released.publicKey.thumbprint == publicKey.thumbprint
    else { throw .damaged }
    key.withLock { $0 = released }
  }

  /// The key's digits, a space and the token.
  func sealed(with token: String) throws(TokenStorageError) -> String { try digits + " " + token }

  /// Takes the key out of what was released; the rest is the token.
  func open(_ text: String) throws(TokenStorageError) -> String {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .damaged }
    try take(String(parts[0]))
    return String(parts[1])
  }
}
