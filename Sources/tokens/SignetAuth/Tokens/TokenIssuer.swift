/// Who gives tokens: a server, or signetd on this machine. A service asks one of these and does the rest: it stores,
/// refreshes ahead of time, and tells of changes. Any thread may use it.
public protocol TokenIssuer: Sendable {
  /// Signs in.
  ///
  /// - Throws: `AuthError`; `refused` where the credentials are not taken, `unsupportedCredentials` where it knows no such.
  func issue(for credentials: AuthCredentials) async throws -> TokenGrant

  /// Gets new tokens by a refresh token, which the server may take once only.
  ///
  /// - Throws: `AuthError`; `loginRequired` where the server takes it no more. Any other error leaves it as it was.
  func refresh(_ refreshToken: String) async throws -> TokenGrant

  /// The same, and says at once which refresh token the server gave: before anything else of the answer is looked at, which may fail
  /// and would take the token with it. An issuer that verifies nothing need not have this one.
  ///
  /// - Parameter whenGiven: keeps the token; it is to be waited for.
  func refresh(_ refreshToken: String, whenGiven: @Sendable (String) async -> Void) async throws -> TokenGrant

  /// Ends what hangs on a refresh token.
  ///
  /// - Throws: `AuthError` where the server could not be told.
  func revoke(_ refreshToken: String) async throws
}

extension TokenIssuer {
  public func refresh(_ refreshToken: String, whenGiven: @Sendable (String) async -> Void) async throws -> TokenGrant {
    let grant = try await refresh(refreshToken)
    if let next = grant.refreshToken { await whenGiven(next) }
    return grant
  }
}

/// What an issuer gave.
public struct TokenGrant: Sendable {
  /// What goes with requests.
  public var accessToken: String
  /// What gets the next one; `nil` where there is none, or the one before goes on.
  public var refreshToken: String?
  /// How many seconds the access token lives, from its receipt on, so that a wrong clock does no harm; `nil` where it is not
  /// known.
  public var lifetime: Double?
  /// Who is signed in; `nil` where the issuer does not say so this time.
  public var user: User?
  /// The same, signed by the issuer; verified already. `nil` where there is none, this time or ever.
  public var idToken: TimedToken?

  public init(
    accessToken: String, refreshToken: String? = nil, lifetime: Double? = nil, user: User? = nil, idToken: TimedToken? = nil
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.lifetime = lifetime
    self.user = user
    self.idToken = idToken
  }
}
