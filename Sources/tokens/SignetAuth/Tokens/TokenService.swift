import SignetJWT

/// What the three services have in common: they keep the tokens of an issuer.
protocol TokenService: TokenHolding, RequestSending {
  var keeper: TokenKeeper { get }
  /// The server, as errors name it.
  var host: String { get }
}

extension TokenService {
  public var state: AuthState { keeper.broadcast.state }

  public func observe(_ body: @escaping @Sendable (AuthState) -> Void) -> AuthObservation { keeper.broadcast.observe(body) }

  public func login(credentials: AuthCredentials) async throws -> AuthResult { try await signIn(credentials) }

  func signIn(_ credentials: AuthCredentials) async throws -> AuthResult {
    if case .stored = credentials { return result(try await keeper.refresh()) }
    return result(try await keeper.login(credentials))
  }

  public func logout() async throws { try await keeper.signOut(host: host) }

  public func refreshAuth() async throws -> AuthResult? {
    do throws(AuthError) { return result(try await keeper.refresh()) } catch .loginRequired(.noCredential) { return nil }
  }

  public var nextRefresh: Double? { keeper.held?.refreshTime }

  public func lock() async { await keeper.lock() }

  public func revokePending() async -> Int { await keeper.revokePending() }

  func result(_ held: HeldTokens) -> AuthResult {
    AuthResult(authType: authType, user: held.user, expiration: held.expiration, isStored: held.isStored)
  }

  /// Sends a request with what is held, and once more with a new token where the server answers 401.
  func send(
    _ request: NetworkRequest, by client: any NetworkClient,
    authorize: (NetworkRequest, HeldTokens) async throws(AuthError) -> NetworkRequest
  ) async throws(AuthError) -> NetworkResponse {
    let first = try await keeper.tokens()
    let response = try await client.answer(to: authorize(request, first))
    guard response.status == 401 else { return response }
    let second = try await keeper.tokens(insteadOf: first.accessToken)
    return try await client.answer(to: authorize(request, second))
  }
}
