/// Signs in by a session: of a server with cookies, or of signetd on this machine. Any thread may use it.
public final class SessionAuthService: TokenService {
  public let authType = AuthType.session
  let keeper: TokenKeeper
  let host: String
  private let sending: @Sendable (NetworkRequest, TokenKeeper) async throws -> NetworkResponse

  /// A server's sessions.
  ///
  /// - Parameters:
  ///   - account: what the session is stored under: a name of the application's own.
  ///   - jitter: 0 to 1, at random: when in the last quarter of a session's life its standing is asked for.
  public init(
    server: SessionServer, account: String, storage: any TokenStorage, client: any NetworkClient,
    time: any TimeSource = SystemTime(),
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    let remote = RemoteSession(server: server, client: client, time: time)
    host = server.login.origin.description
    keeper = TokenKeeper(
      remote, storage, TokenKey(service: host, account: account, kind: .session), time: time, jitter: jitter)
    sending = { request, keeper in try await remote.send(request, keeper) }
  }

  /// The sessions of another issuer: signetd's, or an application's own. They go with no request of this service's.
  ///
  /// - Parameter name: what the issuer is called in the storage and in errors.
  public init(
    issuer: any TokenIssuer, name: String, account: String, storage: any TokenStorage, time: any TimeSource = SystemTime(),
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    host = name
    keeper = TokenKeeper(issuer, storage, TokenKey(service: name, account: account, kind: .session), time: time, jitter: jitter)
    sending = { request, _ in throw AuthError.notThisServer(host: request.endpoint.host) }
  }

  /// The session as the issuer gave it, for a service that asks the issuer about it. Of a server's session: its cookies,
  /// which are no business of anybody else.
  ///
  /// - Throws: `AuthError`.
  public func sessionToken() async throws -> String { try await keeper.tokens().accessToken }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await sending(request, keeper) }
}

extension RemoteSession {
  /// Sends a request with the session's cookies, and keeps those that come back. 401 ends the session: there is nothing to
  /// refresh it by.
  fileprivate func send(_ request: NetworkRequest, _ keeper: TokenKeeper) async throws(AuthError) -> NetworkResponse {
    guard request.endpoint.origin == server.login.origin else { throw .notThisServer(host: request.endpoint.host) }
    let held = try await keeper.tokens()
    guard var jar = CookieJar(held.accessToken, server.login.origin) else { throw .loginRequired(.refusedByServer) }
    let before = jar
    let response = try await exchange(request, &jar)
    if response.status == 401 {
      await keeper.refuse(held.accessToken)
      throw .loginRequired(.refusedByServer)
    }
    if jar != before {
      let text = jar.text
      let expiration = jar.cookie(server.names.sessionCookie, to: request.endpoint, at: time.now)?.expiration
      let lifetime = expiration.map { max(0, $0 - time.now) }
      await keeper.replace(held.accessToken, by: TokenGrant(accessToken: text, refreshToken: text, lifetime: lifetime))
    }
    return response
  }
}
