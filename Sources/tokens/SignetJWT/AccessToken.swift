import SignetJSON

/// What an access token must be to be taken: RFC 9068's `at+jwt`, for one service that takes it.
public struct AccessTokenProfile: Sendable {
  public var issuer: String
  /// The service that asks: one of `aud`.
  public var audience: String
  public var algorithms: Set<SignatureAlgorithm>

  public init(issuer: String, audience: String, algorithms: Set<SignatureAlgorithm> = [.es256]) {
    self.issuer = issuer
    self.audience = audience
    self.algorithms = algorithms
  }

  /// Verifies a token by its issuer's keys.
  ///
  /// A token that names a key (`AccessToken.confirmation`) is worth nothing without proof of that key: the caller checks it, by
  /// `DPoPVerification`, say.
  ///
  /// - Throws: `JWTError`.
  public func verify(_ token: String, by keys: JSONWebKeySet, at clock: TokenClock) throws(JWTError) -> AccessToken {
    let token = try CompactJWS(token)
    let algorithm = try token.header.algorithm(types: ["at+jwt"], mayLackType: false, allowed: algorithms)
    let claims = try token.claims(verifiedBy: keys.key(for: token.header, algorithm), algorithm)
    try claims.require("iss", "exp", "aud", "sub", "client_id", "iat", "jti")
    try claims.require("iss", is: issuer)
    try claims.requireAudience(audience)
    try clock.check(claims)
    return try AccessToken(claims)
  }
}

/// A verified access token (RFC 9068).
public struct AccessToken: Sendable {
  public let claims: JWTClaims
  public let subject: String
  public let clientID: String
  /// Seconds since 1970 in UTC.
  public let expiration: Double
  /// `jti`.
  public let tokenID: String
  /// `scope`, split at the spaces.
  public let scopes: [String]
  /// When the owner last proved who they are, seconds since 1970 in UTC.
  public let authenticationTime: Double?
  /// `acr`.
  public let authenticationContext: String?
  /// `amr`: how, `fpt` for a finger, `pwd` for a passcode (RFC 8176).
  public let authenticationMethods: [String]
  /// `sid`.
  public let sessionID: String?
  /// `cnf.jkt`: the thumbprint of the key that the sender must prove (RFC 7800, RFC 9449).
  public let confirmation: String?

  init(_ claims: JWTClaims) throws(JWTError) {
    self.claims = claims
    guard let subject = claims.subject else { throw .missingClaim("sub") }
    guard let clientID = try claims.text("client_id") else { throw .missingClaim("client_id") }
    guard let expiration = claims.expiration else { throw .missingClaim("exp") }
    guard let tokenID = claims.tokenID else { throw .missingClaim("jti") }
    self.subject = subject
    self.clientID = clientID
    self.expiration = expiration
    self.tokenID = tokenID
    scopes = try claims.text("scope")?.split(separator: " ").map(String.init) ?? []
    authenticationTime = try claims.time("auth_time")
    authenticationContext = try claims.text("acr")
    authenticationMethods = try claims.texts("amr")
    sessionID = try claims.text("sid")
    confirmation = try AccessToken.confirmation(claims.members["cnf"])
  }

  /// A confirmation by any other means cannot be checked here, and must not be taken for none.
  private static func confirmation(_ member: JSONValue?) throws(JWTError) -> String? {
    guard let member else { return nil }
    guard let object = member.object, object.count == 1, let thumbprint = object["jkt"]?.string else {
      throw .invalidMember("cnf")
    }
    return thumbprint
  }
}
