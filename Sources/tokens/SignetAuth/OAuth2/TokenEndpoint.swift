import SignetJWT

/// Sends forms to a provider's endpoints, saying who the client is.
struct TokenEndpoint: Sendable {
  let provider: Provider
  let client: OAuth2Client
  let proofs: DPoPSession?
  let time: any TimeSource

  /// Asks for tokens (RFC 6749, 4.1.3 and 6; RFC 8628, 3.4).
  ///
  /// - Parameter whenGiven: is told of a refresh token before the rest of the answer is looked at.
  /// - Throws: `AuthError.oauth2` with the provider's code.
  func tokens(
    _ fields: [(String, String)], _ metadata: ProviderMetadata, whenGiven: @Sendable (String) async -> Void = { _ in }
  ) async throws(AuthError) -> TokenResponse {
    let response = try await post(fields, to: metadata.token, metadata, proofs: proofs)
    let host = metadata.token.host
    guard response.status == 200 else { throw TokenEndpoint.failure(response, host) }
    let answer = try response.object(from: metadata.token)
    if let next = TokenText.checked(answer["refresh_token"]) { await whenGiven(next) }
    let tokens = try TokenResponse(answer, host: host)
    // RFC 9449, 5: a provider that does not bind tokens would answer so.
    guard tokens.type == (proofs == nil ? "bearer" : "dpop") else {
      throw .oauth2(host: host, .unsupported(proofs == nil ? "bearer tokens" : "tokens bound to a key"))
    }
    return tokens
  }

  static func failure(_ response: NetworkResponse, _ host: String) -> AuthError {
    guard (400..<500).contains(response.status), let code = TokenResponse.errorCode(response) else {
      return .server(host: host, status: response.status)
    }
    return .oauth2(host: host, .code(code))
  }

  /// Sends a form with what the client proves itself by; once more where the server wants a nonce in the proof.
  func post(
    _ fields: [(String, String)], to endpoint: Endpoint, _ metadata: ProviderMetadata, proofs: DPoPSession? = nil
  ) async throws(AuthError) -> NetworkResponse {
    for attempt in 1...2 {
      var request = try authenticated(fields, endpoint, metadata)
      if let proofs { request.headers["DPoP"] = try proofs.proof(for: request) }
      let response = try await provider.client.answer(to: request)
      if let proofs, proofs.take(response, from: endpoint), attempt == 1 { continue }
      return response
    }
    throw .oauth2(host: endpoint.host, .code("use_dpop_nonce"))
  }

  private func authenticated(
    _ fields: [(String, String)], _ endpoint: Endpoint, _ metadata: ProviderMetadata
  ) throws(AuthError) -> NetworkRequest {
    let id = client.clientID
    switch client.authentication {
    case .none: return .form(endpoint, fields + [("client_id", id)])
    case .secretPost(let secret): return .form(endpoint, fields + [("client_id", id), ("client_secret", secret.text)])
    case .secretBasic(let secret):
      var request = NetworkRequest.form(endpoint, fields)
      // Each half is written as in a form first (RFC 6749, 2.3.1).
      let pair = FormEncoding.encode(id) + ":" + FormEncoding.encode(secret.text)
      request.headers["Authorization"] = "Basic " + Base64Text.encode(Array(pair.utf8))
      return request
    case .privateKey(let signer):
      let assertion: String
      do throws(JWTError) {
        let audience =
          switch client.assertionAudience {
          case .issuer: metadata.issuer
          case .endpoint: endpoint.description
          }
        assertion = try ClientAssertion.make(
          clientID: id, audience: audience, tokenID: RandomText.make(), now: time.now, by: signer)
      } catch { throw .token(host: endpoint.host, error) }
      return .form(
        endpoint,
        fields + [("client_id", id), ("client_assertion_type", ClientAssertion.type), ("client_assertion", assertion)])
    }
  }
}
