import SignetVocabulary

/// What an access token says: a JWT by the profile of RFC 9068, which anybody verifies with the issuer's public key.
public struct AccessToken: Equatable, Sendable {
  /// Who issued it (`iss`).
  public var issuer: String
  /// For whom it is (`aud`): the service that is to accept it.
  public var audience: String
  public var session: Session
  /// When the session ends at the latest; this and the next in seconds since 1970.
  public var sessionEnds: UInt64
  public var issued: UInt64
  /// Tells it from all others (`jti`).
  public var identifier: String
  /// The thumbprint (RFC 7638) of the key that whoever uses the token has to prove (RFC 9449); empty where any bearer may use it.
  public var confirmation: [UInt8]

  public init(
    issuer: String, audience: String, session: Session, sessionEnds: UInt64, issued: UInt64, identifier: String,
    confirmation: [UInt8] = []
  ) {
    self.issuer = issuer
    self.audience = audience
    self.session = session
    self.sessionEnds = sessionEnds
    self.issued = issued
    self.identifier = identifier
    self.confirmation = confirmation
  }

  /// An identifier that no other token has: 128 random bits; `nil` where the kernel gives none.
  public static func newIdentifier() -> String? { RandomBytes.array(16).map(Base64URL.text) }

  /// When it expires, in seconds since 1970: never after its session.
  public var expires: UInt64 { min(issued + UInt64(TokenLifetime.access), sessionEnds) }

  /// The token, signed.
  public func signed(by key: borrowing ES256Key) throws(SigningError) -> String {
    let text = text(for: key.publicKey)
    return text + "." + Base64URL.text(try key.sign(Array(text.utf8)))
  }

  /// The token, signed by whoever has the private half of this key: `sign` gives the signature, r and s, of a message.
  public func signed<Failure: Error>(
    for key: ES256PublicKey, _ sign: ([UInt8]) throws(Failure) -> [UInt8]
  ) throws(Failure) -> String {
    let text = text(for: key)
    return text + "." + Base64URL.text(try sign(Array(text.utf8)))
  }

  /// What is signed.
  private func text(for key: ES256PublicKey) -> String {
    Base64URL.text(Array(header(of: key).utf8)) + "." + Base64URL.text(Array(claims.utf8))
  }

  private func header(of key: ES256PublicKey) -> String {
    var header = JSONObject()
    header.add("alg", "ES256")
    header.add("kid", key.identifier)
    header.add("typ", "at+jwt")
    return header.text
  }

  private var claims: String {
    var claims = JSONObject()
    claims.add("iss", issuer)
    // By uid: names are given anew.
    claims.add("sub", "\(session.uid)")
    claims.add("aud", audience)
    claims.add("exp", expires)
    claims.add("iat", issued)
    claims.add("jti", identifier)
    claims.add("client_id", "signet")
    claims.add("preferred_username", session.user)
    claims.add("sid", session.identifier.text)
    claims.add("auth_time", session.since)
    claims.add("acr", session.method.contextClass)
    claims.add("amr", session.method.references)
    if !confirmation.isEmpty {
      var key = JSONObject()
      key.add("jkt", Base64URL.text(confirmation))
      claims.add("cnf", key)
    }
    return claims.text
  }
}

extension EvidenceMethod {
  /// The values of RFC 8176.
  var references: [String] {
    switch self {
    case .fingerprint: ["fpt"]
    case .passcode: ["pwd"]
    case .none: []
    }
  }

  /// `acr` of RFC 9068: signet-auth(7) says what each stands for.
  var contextClass: String {
    switch self {
    case .fingerprint: "urn:signet:acr:fingerprint"
    case .passcode: "urn:signet:acr:passcode"
    case .none: "0"
    }
  }
}
