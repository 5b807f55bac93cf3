import SignetJSON

/// What an ID token must be to be taken (OpenID Connect Core 1.0, 3.1.3.7).
public struct IDTokenProfile: Sendable {
  public var issuer: String
  public var clientID: String
  public var algorithms: Set<SignatureAlgorithm>
  /// The nonce of the request; where there was one, the token must have it, and where there was none, it must not matter.
  public var nonce: String?
  /// The access token that came with it, for `at_hash`. Where the token has no `at_hash` nothing is checked: at the token
  /// endpoint it may be left out (3.1.3.6).
  public var accessToken: String?
  /// How long ago, in seconds, the owner may have signed in, where the request said so; then `auth_time` must be there.
  public var maximumAge: Double?
  /// The oldest `iat`, in seconds before now.
  public var maximumTokenAge: Double

  public init(
    issuer: String, clientID: String, algorithms: Set<SignatureAlgorithm> = [.rs256, .es256, .edDSA], nonce: String? = nil,
    accessToken: String? = nil, maximumAge: Double? = nil, maximumTokenAge: Double = 600
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.algorithms = algorithms
    self.nonce = nonce
    self.accessToken = accessToken
    self.maximumAge = maximumAge
    self.maximumTokenAge = maximumTokenAge
  }

  /// Verifies a token by its issuer's keys.
  ///
  /// - Throws: `JWTError`.
  public func verify(_ token: String, by keys: JSONWebKeySet, at clock: TokenClock) throws(JWTError) -> IDToken {
    let token = try CompactJWS(token)
    // Most providers say `JWT` or nothing. Whatever else has a `typ` of its own is no ID token: an access token, above all.
    let algorithm = try token.header.algorithm(types: ["jwt"], mayLackType: true, allowed: algorithms)
    let claims = try token.claims(verifiedBy: keys.key(for: token.header, algorithm), algorithm)
    try claims.require("iss", "sub", "aud", "exp", "iat")
    try claims.require("iss", is: issuer)
    try checkAudience(claims)
    try clock.check(claims)
    if let issuedAt = claims.issuedAt { try clock.check(issuedAt, atMost: maximumTokenAge) }
    if let nonce { try claims.require("nonce", is: nonce) }
    try checkAccessToken(claims)
    try checkAge(claims, at: clock)
    return try IDToken(claims)
  }

  private func checkAudience(_ claims: JWTClaims) throws(JWTError) {
    try claims.requireAudience(clientID)
    let party = try claims.text("azp")
    if claims.audience.count > 1, party == nil { throw .missingClaim("azp") }
    if let party, !party.hasSameBytes(as: clientID) { throw .unexpectedClaim("azp") }
  }

  /// 3.1.3.8: the left half of the hash. All algorithms that are taken go with SHA-256, but Ed25519, whose hash is SHA-512.
  private func checkAccessToken(_ claims: JWTClaims) throws(JWTError) {
    guard let accessToken, let expected = try claims.text("at_hash") else { return }
    let token = Array(accessToken.utf8)
    let halves = [
      Base64URL.encode(SHA2.sha256(token).prefix(16)), Base64URL.encode(SHA2.sha512(token).prefix(32)),
    ]
    guard halves.contains(where: { $0.hasSameBytes(as: expected) }) else { throw .unexpectedClaim("at_hash") }
  }

  private func checkAge(_ claims: JWTClaims, at clock: TokenClock) throws(JWTError) {
    guard let maximumAge else { return }
    guard let time = try claims.time("auth_time") else { throw .missingClaim("auth_time") }
    try clock.check(time, atMost: maximumAge)
  }
}

/// A verified ID token.
public struct IDToken: Sendable {
  public let claims: JWTClaims
  public let issuer: String
  public let subject: String
  /// When the owner last proved who they are, seconds since 1970 in UTC.
  public let authenticationTime: Double?
  /// `acr`.
  public let authenticationContext: String?
  /// `amr` (RFC 8176).
  public let authenticationMethods: [String]
  /// `sid`.
  public let sessionID: String?

  init(_ claims: JWTClaims) throws(JWTError) {
    guard let issuer = claims.issuer else { throw .missingClaim("iss") }
    guard let subject = claims.subject, !subject.isEmpty, subject.utf8.count <= 255 else { throw .invalidMember("sub") }
    self.claims = claims
    self.issuer = issuer
    self.subject = subject
    authenticationTime = try claims.time("auth_time")
    authenticationContext = try claims.text("acr")
    authenticationMethods = try claims.texts("amr")
    sessionID = try claims.text("sid")
  }
}
