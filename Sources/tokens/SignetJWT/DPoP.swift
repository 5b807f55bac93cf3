import SignetJSON

/// A proof that a request comes from the owner of a key (DPoP, RFC 9449).
public enum DPoP {
  static let type = "dpop+jwt"

  /// Makes a proof for one request.
  ///
  /// - Parameters:
  ///   - method: the HTTP method, as it is sent.
  ///   - target: the URI of the request; query and fragment are left out (4.2).
  ///   - tokenID: `jti`, new for each proof: at least 96 random bits.
  ///   - now: seconds since 1970 in UTC.
  ///   - nonce: what the server gave (section 8).
  ///   - accessToken: the token that goes with it, for `ath`; `nil` at the token endpoint.
  /// - Throws: `JWTError.invalidKey` where the signer cannot sign.
  public static func proof(
    method: String, target: String, tokenID: String, now: Double, nonce: String? = nil, accessToken: String? = nil,
    by signer: some TokenSigner
  ) throws(JWTError) -> String {
    var claims: JSONObject = [
      "jti": .string(tokenID), "htm": .string(method), "htu": .string(plainTarget(target)), "iat": .integer(wholeSeconds(now)),
    ]
    if let nonce { claims["nonce"] = .string(nonce) }
    if let accessToken { claims["ath"] = .string(hash(of: accessToken)) }
    return try CompactJWS.sign(
      claims, type: type, header: ["jwk": .object(signer.publicKey.requiredMembers)], by: signer)
  }

  /// `ath` of a token.
  static func hash(of token: String) -> String { Base64URL.encode(SHA2.sha256(token.utf8)) }

  static func plainTarget(_ target: String) -> String {
    String(target.prefix { $0 != "?" && $0 != "#" })
  }
}

/// What a proof must be to be taken (RFC 9449, 4.3).
public struct DPoPVerification: Sendable {
  public var method: String
  /// The URI of the request as the client wrote it; query and fragment do not count.
  public var target: String
  /// The nonce that this server asked for.
  public var nonce: String?
  /// The access token of the request, whose hash must be in the proof.
  public var accessToken: String?
  /// The thumbprint that the access token names (`AccessToken.confirmation`).
  public var thumbprint: String?
  public var algorithms: Set<SignatureAlgorithm>
  /// How long ago, in seconds, a proof may have been made.
  public var maximumAge: Double

  public init(
    method: String, target: String, nonce: String? = nil, accessToken: String? = nil, thumbprint: String? = nil,
    algorithms: Set<SignatureAlgorithm> = [.es256], maximumAge: Double = 60
  ) {
    self.method = method
    self.target = target
    self.nonce = nonce
    self.accessToken = accessToken
    self.thumbprint = thumbprint
    self.algorithms = algorithms
    self.maximumAge = maximumAge
  }

  /// Verifies a proof by the key that it carries. The caller remembers `Proof.tokenID` as long as a proof may live
  /// (`maximumAge`, and the skew), and refuses it a second time.
  ///
  /// - Throws: `JWTError`.
  public func verify(_ proof: String, at clock: TokenClock) throws(JWTError) -> Proof {
    let proof = try CompactJWS(proof)
    let algorithm = try proof.header.algorithm(types: [DPoP.type], mayLackType: false, allowed: algorithms)
    guard let members = proof.header.members["jwk"]?.object else { throw .invalidMember("jwk") }
    let key = try JSONWebKey(members)
    let claims = try proof.claims(verifiedBy: key, algorithm)
    guard let tokenID = claims.tokenID else { throw .missingClaim("jti") }
    guard let issuedAt = claims.issuedAt else { throw .missingClaim("iat") }
    try claims.require("htm", is: method)
    guard let htu = try claims.text("htu"), DPoP.plainTarget(htu).hasSameBytes(as: DPoP.plainTarget(target)) else {
      throw .unexpectedClaim("htu")
    }
    try clock.check(claims)
    try clock.check(issuedAt, atMost: maximumAge)
    if let nonce { try claims.require("nonce", is: nonce) }
    if let accessToken { try claims.require("ath", is: DPoP.hash(of: accessToken)) }
    let thumbprint = key.thumbprint
    if let expected = self.thumbprint, !expected.hasSameBytes(as: thumbprint) { throw .unexpectedClaim("cnf") }
    return Proof(tokenID: tokenID, thumbprint: thumbprint)
  }

  /// What a proof proves.
  public struct Proof: Equatable, Sendable {
    /// `jti`, to be taken once.
    public let tokenID: String
    /// The thumbprint of the key.
    public let thumbprint: String
  }
}
