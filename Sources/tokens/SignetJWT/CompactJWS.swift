import SignetJSON

/// A token in its compact form (RFC 7515, section 7.1), taken apart. Nothing of it is verified yet.
public struct CompactJWS: Sendable {
  /// The most bytes a token may have.
  public static let maximumSize = 16 << 10
  /// The most bytes its decoded header may have.
  public static let maximumHeaderSize = 4 << 10

  public let header: JWSHeader
  /// The decoded second part.
  public let payload: [UInt8]
  let signature: [UInt8]
  /// What is signed: the first two parts with the dot.
  let signingInput: [UInt8]

  /// Takes a token apart.
  ///
  /// - Throws: `JWTError` where it is too large, not of three parts, or its header is not valid.
  public init(_ token: String) throws(JWTError) {
    // One byte more than allowed is enough to know.
    let bytes = Array(token.utf8.prefix(CompactJWS.maximumSize + 1))
    guard bytes.count <= CompactJWS.maximumSize else { throw .tooLarge }
    let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { throw .notCompact }
    guard header.count <= CompactJWS.maximumHeaderSize else { throw .tooLarge }
    self.header = try JWSHeader(CompactJWS.object(header))
    self.payload = payload
    self.signature = signature
    signingInput = Array(bytes[..<parts[1].endIndex])
  }

  /// The claims of a token that nobody verified: a hint, when to ask for a new one, say. Never a proof of anything.
  public func unverifiedClaims() throws(JWTError) -> JWTClaims { try JWTClaims(CompactJWS.object(payload)) }

  /// The claims, once the signature was verified by `key`.
  func claims(verifiedBy key: JSONWebKey, _ algorithm: SignatureAlgorithm) throws(JWTError) -> JWTClaims {
    guard key.verifies(signature, over: signingInput, algorithm) else { throw .invalidSignature }
    return try JWTClaims(CompactJWS.object(payload))
  }

  private static func object(_ bytes: [UInt8]) throws(JWTError) -> JSONObject {
    do throws(JSONError) { return try JSONReader.object(bytes, limit: maximumSize) } catch { throw .notJSON(error) }
  }

  /// Makes a token.
  ///
  /// - Parameters:
  ///   - type: `typ`.
  ///   - header: more members of the header; `alg` and `typ` are set over them.
  /// - Throws: `JWTError.invalidKey` where the signer cannot sign.
  public static func sign(
    _ claims: JSONObject, type: String, header: JSONObject = [:], by signer: some TokenSigner
  ) throws(JWTError) -> String {
    var header = header
    header["alg"] = .string(signer.publicKey.algorithm.rawValue)
    header["typ"] = .string(type)
    let input = Base64URL.encode(header.encoded) + "." + Base64URL.encode(claims.encoded)
    return input + "." + Base64URL.encode(try signer.signature(over: Array(input.utf8)))
  }
}
