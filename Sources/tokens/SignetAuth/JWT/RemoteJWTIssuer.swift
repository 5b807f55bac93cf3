import SignetJWT

/// A server's access and refresh tokens.
struct RemoteJWTIssuer: TokenIssuer {
  let server: JWTServer
  let client: any NetworkClient
  let time: any TimeSource

  func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    guard case .password(let username, let password) = credentials else { throw AuthError.unsupportedCredentials(.jwt) }
    let request = NetworkRequest.json(
      server.obtain,
      [server.names.username: .string(username), server.names.password: .string(password.text)] as JSONObject)
    let response = try await client.answer(to: request)
    switch response.status {
    case 200...299: break
    case 400, 401, 403: throw AuthError.refused(host: server.obtain.host)
    default: throw AuthError.server(host: server.obtain.host, status: response.status)
    }
    var grant = try grant(response, from: server.obtain)
    guard grant.refreshToken != nil else { throw invalid("no refresh token") }
    grant.user = User(id: grant.user?.id ?? username, name: grant.user?.name ?? username)
    return grant
  }

  func refresh(_ refreshToken: String) async throws -> TokenGrant { try await refresh(refreshToken) { _ in } }

  func refresh(_ refreshToken: String, whenGiven: @Sendable (String) async -> Void) async throws -> TokenGrant {
    let request = NetworkRequest.json(server.refresh, [server.names.refresh: .string(refreshToken)] as JSONObject)
    let response = try await client.answer(to: request)
    switch response.status {
    case 200...299:
      if let next = TokenText.checked(try response.object(from: server.refresh)[server.names.refresh]) { await whenGiven(next) }
      return try grant(response, from: server.refresh)
    case 400, 401, 403: throw AuthError.loginRequired(.refusedByServer)
    default: throw AuthError.server(host: server.refresh.host, status: response.status)
    }
  }

  func revoke(_ refreshToken: String) async throws {
    guard let endpoint = server.revoke else { return }
    let response = try await client.answer(to: .json(endpoint, [server.names.refresh: .string(refreshToken)] as JSONObject))
    // One that the server does not know any more is ended.
    guard response.isSuccess || [400, 401, 404].contains(response.status) else {
      throw AuthError.server(host: endpoint.host, status: response.status)
    }
  }

  private func invalid(_ what: String) -> AuthError { .invalidResponse(host: server.obtain.host, what: what) }

  private func grant(_ response: NetworkResponse, from endpoint: Endpoint) throws(AuthError) -> TokenGrant {
    let object = try response.object(from: endpoint)
    guard let access = TokenText.checked(object[server.names.access]) else { throw invalid("no access token") }
    var grant = TokenGrant(accessToken: access)
    if let refresh = object[server.names.refresh] {
      guard let refresh = TokenText.checked(refresh) else { throw invalid("no refresh token") }
      grant.refreshToken = refresh
    }
    try verify(access)
    let claims = try? CompactJWS(access).unverifiedClaims()
    grant.lifetime = try lifetime(object, claims)
    grant.user = claims.flatMap(User.init(hint:))
    return grant
  }

  private func verify(_ access: String) throws(AuthError) {
    guard let verification = server.verification else { return }
    do throws(JWTError) {
      _ = try verification.profile.verify(access, by: verification.keys, at: TokenClock(now: time.now))
    } catch { throw .token(host: server.obtain.host, error) }
  }

  /// How long the token lives by the server's own clock, so that ours may be wrong. Whether it is taken is for the server to
  /// say: what stands in the token is a hint here.
  private func lifetime(_ object: JSONObject, _ claims: JWTClaims?) throws(AuthError) -> Double? {
    if let lifetime = object[server.names.lifetime]?.number { return try checked(lifetime) }
    guard let expiration = claims?.expiration else { return nil }
    return try checked(expiration - (claims?.issuedAt ?? time.now))
  }

  private func checked(_ lifetime: Double) throws(AuthError) -> Double {
    guard lifetime > 0, lifetime <= JWTClaims.latestTime else { throw invalid("a token that has expired already") }
    return lifetime
  }
}

extension User {
  /// Who a token says it is for. The server sent it over TLS; nobody else's word is taken this way.
  fileprivate init?(hint claims: JWTClaims) {
    let names = ["sub", "user_id"].compactMap { claims.members[$0] }
    guard let id = names.lazy.compactMap({ $0.string ?? $0.integer.map(String.init) }).first, !id.isEmpty else { return nil }
    let name = ["preferred_username", "username", "name"].lazy.compactMap { claims.members[$0]?.string }.first
    self.init(id: id, name: name)
  }
}
