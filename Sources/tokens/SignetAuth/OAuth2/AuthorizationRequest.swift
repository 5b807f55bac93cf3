import SignetBytes
import SignetJWT

/// A question to the authorization endpoint (RFC 6749, 4.1.1), and what an answer to it must be.
struct AuthorizationRequest: Sendable {
  let metadata: ProviderMetadata
  let client: OAuth2Client
  let redirect: String
  let state = RandomText.make()
  let nonce = RandomText.make()
  let pkce = PKCE()

  /// - Throws: `AuthError.oauth2` where the provider has no such endpoint, or no PKCE by SHA-256.
  func url() throws(AuthError) -> Endpoint {
    guard let endpoint = metadata.authorization else { throw failure(.unsupported("the authorization code flow")) }
    guard metadata.challengeMethods?.contains(PKCE.method) ?? true else { throw failure(.unsupported("PKCE with S256")) }
    var fields = [
      ("response_type", "code"), ("client_id", client.clientID), ("redirect_uri", redirect),
      ("scope", client.scopes.joined(separator: " ")), ("state", state), ("code_challenge", pkce.challenge),
      ("code_challenge_method", PKCE.method),
    ]
    if client.isOpenID { fields.append(("nonce", nonce)) }
    if let age = client.maximumAge { fields.append(("max_age", String(age))) }
    if let key = client.proofKey { fields.append(("dpop_jkt", key.publicKey.thumbprint)) }
    return endpoint.adding(fields)
  }

  /// The code in an answer (RFC 6749, 4.1.2). `state` and `iss` come first: an error of somebody else is none of ours, either;
  /// but for one without a state, which is a refusal whoever gave it.
  ///
  /// - Throws: `AuthError.oauth2`.
  func code(in answer: [String: String]) throws(AuthError) -> String {
    if answer["state"] == nil, let error = answer["error"] { throw failure(.code(OAuth2Code(error))) }
    guard let state = answer["state"], AuthorizationRequest.isSame(state, self.state) else { throw failure(.stateMismatch) }
    // RFC 9207, 2.4.
    if let issuer = answer["iss"] {
      guard issuer.hasSameBytes(as: metadata.issuer) else { throw failure(.issuerMismatch) }
    } else if metadata.namesIssuer {
      throw failure(.issuerMismatch)
    }
    if let error = answer["error"] { throw failure(.code(OAuth2Code(error, explanation: answer["error_description"]))) }
    guard let code = TokenText.checked(answer["code"].map { .string($0) }) else {
      throw .invalidResponse(host: host, what: "no code")
    }
    return code
  }

  /// Compares in a time that does not tell where the texts differ.
  static func isSame(_ one: String, _ other: String) -> Bool {
    isSameInConstantTime(SHA2.sha256(one.utf8).span, SHA2.sha256(other.utf8).span)
  }

  private var host: String { metadata.token.host }
  private func failure(_ error: OAuth2Error) -> AuthError { .oauth2(host: host, error) }
}
