import SignetJSON

/// A set of public keys (JWKS, RFC 7517, section 5).
public struct JSONWebKeySet: Sendable {
  /// The most keys that a set may have.
  public static let maximumCount = 64
  /// The most bytes that its text may have.
  public static let maximumSize = 256 << 10

  public let keys: [JSONWebKey]

  public init(_ keys: [JSONWebKey]) { self.keys = keys }

  /// Reads a set. Keys of other kinds and for other uses are left out, as RFC 7517 asks.
  ///
  /// - Throws: `JWTError.notJSON`, `JWTError.invalidMember` where there is no `keys`, or `JWTError.tooLarge`.
  public init(json bytes: some Sequence<UInt8>) throws(JWTError) {
    let object: JSONObject
    do throws(JSONError) { object = try JSONReader.object(bytes, limit: JSONWebKeySet.maximumSize) } catch {
      throw .notJSON(error)
    }
    guard let keys = object["keys"]?.array else { throw .invalidMember("keys") }
    guard keys.count <= JSONWebKeySet.maximumCount else { throw .tooLarge }
    self.keys = keys.compactMap { key in key.object.flatMap { try? JSONWebKey($0) } }
  }

  /// The key for a token.
  ///
  /// - Throws: `JWTError.unknownKey` where none has its `kid`, or several have; or it names none, and not exactly one key fits.
  func key(for header: JWSHeader, _ algorithm: SignatureAlgorithm) throws(JWTError) -> JSONWebKey {
    let fitting = keys.filter { key in
      guard key.algorithm == algorithm else { return false }
      guard let wanted = header.keyID else { return true }
      return key.keyID?.hasSameBytes(as: wanted) == true
    }
    guard fitting.count == 1 else { throw .unknownKey(header.keyID) }
    return fitting[0]
  }

  /// The JSON text of the set.
  public var encoded: [UInt8] { JSONObject(dictionaryLiteral: ("keys", .array(keys.map { .object($0.members) }))).encoded }
}
