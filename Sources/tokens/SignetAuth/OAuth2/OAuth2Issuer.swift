import SignetJWT

/// A provider's tokens, for a service to keep.
struct OAuth2Issuer: TokenIssuer {
  let client: OAuth2Client
  let endpoint: TokenEndpoint
  let code: AuthorizationCodeFlow
  let device: DeviceGrant?
  let time: any TimeSource
  /// Who signs in where the provider does not say.
  let account: String
  let confirm: (@Sendable (User?) async -> Bool)?

  private var provider: Provider { endpoint.provider }

  func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    var grant = try await signIn(credentials)
    guard let confirm else { return grant }
    let received = time.now
    guard await confirm(client.isOpenID ? grant.user : nil) else {
      // Who waited for it may have gone, and its task with it.
      if let token = grant.refreshToken { await Task { try? await revoke(token) }.value }
      throw AuthError.cancelled
    }
    // It runs from the receipt on, and not from the owner's answer.
    grant.lifetime = grant.lifetime.map { $0 - (time.now - received) }
    return grant
  }

  private func signIn(_ credentials: AuthCredentials) async throws -> TokenGrant {
    switch credentials {
    case .browser:
      let (tokens, nonce) = try await code.run()
      return try await grant(tokens, nonce: nonce, isFirst: true)
    case .device:
      guard let device else { throw AuthError.unsupportedCredentials(.oauth2) }
      // There is no browser whose answer a nonce could be bound to.
      return try await grant(device.run(), nonce: nil, isFirst: true)
    case .password, .stored, .local: throw AuthError.unsupportedCredentials(.oauth2)
    }
  }

  func refresh(_ refreshToken: String) async throws -> TokenGrant { try await refresh(refreshToken) { _ in } }

  func refresh(_ refreshToken: String, whenGiven: @Sendable (String) async -> Void) async throws -> TokenGrant {
    let metadata = try await provider.metadata()
    // The answer may have an ID token; with the keys, fetched before, it is verified whatever becomes of the network.
    if client.isOpenID, metadata.keys != nil { try await provider.prepare() }
    let tokens: TokenResponse
    do throws(AuthError) {
      tokens = try await endpoint.tokens(
        [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], metadata, whenGiven: whenGiven)
    } catch .oauth2(_, .code("invalid_grant")) {
      throw AuthError.loginRequired(.refusedByServer)
    } catch .server(_, 400) {
      // Some name no error where RFC 6749, 5.2, wants `invalid_grant`.
      throw AuthError.loginRequired(.refusedByServer)
    }
    return try await grant(tokens, nonce: nil, isFirst: false)
  }

  /// RFC 7009.
  func revoke(_ refreshToken: String) async throws {
    let metadata = try await provider.metadata()
    guard let revocation = metadata.revocation else { throw AuthError.oauth2(host: provider.host, .unsupported("revocation")) }
    let response = try await endpoint.post(
      [("token", refreshToken), ("token_type_hint", "refresh_token")], to: revocation, metadata)
    guard response.isSuccess else { throw TokenEndpoint.failure(response, revocation.host) }
  }

  private func grant(_ tokens: TokenResponse, nonce: String?, isFirst: Bool) async throws(AuthError) -> TokenGrant {
    var grant = TokenGrant(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken, lifetime: tokens.lifetime)
    guard client.isOpenID else {
      grant.user = isFirst ? User(id: account) : nil
      return grant
    }
    guard let idToken = tokens.idToken else {
      // With a refresh it may be left out (OpenID Connect Core 1.0, 12.2).
      guard isFirst else { return grant }
      throw .invalidResponse(host: provider.host, what: "no ID token")
    }
    let verified = try await verify(idToken, of: tokens, nonce: nonce, isFirst: isFirst)
    let names = ["preferred_username", "name", "email"]
    grant.user = User(id: verified.subject, name: names.lazy.compactMap { verified.claims.members[$0]?.string }.first)
    grant.idToken = TimedToken(idToken, expiration: verified.claims.expiration)
    return grant
  }

  private func verify(
    _ idToken: String, of tokens: TokenResponse, nonce: String?, isFirst: Bool
  ) async throws(AuthError) -> IDToken {
    let profile = IDTokenProfile(
      issuer: client.issuer, clientID: client.clientID, algorithms: try await provider.metadata().signingAlgorithms, nonce: nonce,
      accessToken: tokens.accessToken, maximumAge: isFirst ? client.maximumAge.map(Double.init) : nil)
    let clock = TokenClock(now: time.now)
    return try await provider.verify { keys throws(JWTError) in try profile.verify(idToken, by: keys, at: clock) }
  }
}
