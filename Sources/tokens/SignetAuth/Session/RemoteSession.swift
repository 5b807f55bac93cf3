import SignetJWT

/// A server's sessions. The cookies stand for both tokens: they go with requests, and they are what is kept.
struct RemoteSession: TokenIssuer {
  let server: SessionServer
  let client: any NetworkClient
  let time: any TimeSource

  private var host: String { server.login.host }
  private var names: SessionServer.Names { server.names }

  func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    guard case .password(let username, let password) = credentials else { throw AuthError.unsupportedCredentials(.session) }
    var jar = CookieJar(server.login.origin)
    let form = try await exchange(NetworkRequest(server.login), &jar)
    guard form.isSuccess else { throw AuthError.server(host: host, status: form.status) }
    let before = session(jar)
    var request = NetworkRequest.form(server.login, [(names.username, username), (names.password, password.text)])
    request.headers["Accept"] = nil
    let response = try await exchange(request, &jar)
    // A wrong password has no status of its own: Django shows the form again, others say 400 or 401.
    guard response.status < 500, response.status != 429 else { throw AuthError.server(host: host, status: response.status) }
    guard response.status < 400, let session = session(jar), session != before else { throw AuthError.refused(host: host) }
    return try await grant(&jar, User(id: username, name: username))
  }

  /// The session's standing: asking for it prolongs a session that slides.
  func refresh(_ refreshToken: String) async throws -> TokenGrant {
    guard var jar = CookieJar(refreshToken, server.login.origin), session(jar) != nil else {
      throw AuthError.loginRequired(.refusedByServer)
    }
    return try await grant(&jar, nil)
  }

  func revoke(_ refreshToken: String) async throws {
    guard var jar = CookieJar(refreshToken, server.login.origin), session(jar) != nil else { return }
    let response = try await exchange(NetworkRequest(server.logout, method: .post), &jar)
    // A redirect to a page for all is what most answer with; 401 is somebody who is not signed in.
    guard response.status < 400 || response.status == 401 else { throw AuthError.server(host: host, status: response.status) }
  }

  private func session(_ jar: CookieJar) -> Cookie? {
    let cookie = jar.cookie(names.sessionCookie, to: server.user ?? server.logout, at: time.now)
    return cookie.flatMap { $0.value.isEmpty ? nil : $0 }
  }

  private func grant(_ jar: inout CookieJar, _ user: User?) async throws(AuthError) -> TokenGrant {
    let user = try await self.user(&jar) ?? user
    guard let session = session(jar) else { throw .loginRequired(.refusedByServer) }
    let text = jar.text
    return TokenGrant(
      accessToken: text, refreshToken: text, lifetime: session.expiration.map { max(0, $0 - time.now) }, user: user)
  }

  private func user(_ jar: inout CookieJar) async throws(AuthError) -> User? {
    guard let endpoint = server.user else { return nil }
    let response = try await exchange(NetworkRequest(endpoint, headers: ["Accept": "application/json"]), &jar)
    switch response.status {
    case 200: break
    case 401, 403, 300..<400: throw .loginRequired(.refusedByServer)
    default: throw .server(host: host, status: response.status)
    }
    let object = try response.object(from: endpoint)
    let id = object[names.userID]
    guard let id = id?.string ?? id?.integer.map(String.init), !id.isEmpty else {
      throw .invalidResponse(host: host, what: "it does not say who is signed in")
    }
    return User(id: id, name: object[names.userName]?.string)
  }

  /// Sends a request with the cookies, and takes those that come back.
  func exchange(_ request: NetworkRequest, _ jar: inout CookieJar) async throws(AuthError) -> NetworkResponse {
    let response = try await client.answer(to: authorized(request, jar))
    jar.take(response, from: request.endpoint, at: time.now)
    return response
  }

  private func authorized(_ request: NetworkRequest, _ jar: CookieJar) -> NetworkRequest {
    var request = request
    // A redirect may set cookies, which the one that follows would not have.
    request.redirectLimit = 0
    request.headers["Cookie"] = jar.header(for: request.endpoint, at: time.now)
    guard request.method != .get, request.method != .head else { return request }
    // Django asks both where the request comes from and whether who made it could read the cookie.
    request.headers["Origin"] = request.endpoint.origin.description
    request.headers["Referer"] = server.login.description
    if let token = jar.cookie(names.csrfCookie, to: request.endpoint, at: time.now) {
      request.headers[names.csrfHeader] = token.value
    }
    return request
  }
}
