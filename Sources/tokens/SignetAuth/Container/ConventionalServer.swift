// Services from a storage and a network client alone: for a server that has its endpoints where many have them.

extension AuthConfiguration {
  /// A server that signs in at `auth/login`, by a form and a cookie or by a JSON object that is answered with a `LoginResponse`, renews at
  /// `auth/refresh`, signs out at `auth/logout`, and is its own identity provider.
  ///
  /// - Parameters:
  ///   - baseURL: the server; without one there is only the session of this login, of which signetd knows.
  ///   - clientID: as what the provider knows the application; without it `oauth2` is not configured.
  public static func conventional(at baseURL: Endpoint?, clientID: String? = nil) -> AuthConfiguration {
    var configuration = AuthConfiguration(account: "default")
    guard let baseURL, let login = try? baseURL.appending("auth/login"), let logout = try? baseURL.appending("auth/logout"),
      let refresh = try? baseURL.appending("auth/refresh")
    else {
      configuration.localSession = .signetdSession()
      return configuration
    }
    configuration.session = try? SessionServer(login: login, logout: logout)
    var names = JWTServer.Names()
    names.access = "token"
    names.refresh = "refreshToken"
    names.lifetime = "expiresIn"
    configuration.jwt = JWTServer(obtain: login, refresh: refresh, revoke: logout, names: names)
    let issuer = baseURL.path == "/" ? baseURL.origin.description : baseURL.description
    configuration.oauth2 = clientID.map { OAuth2Client(issuer: issuer, clientID: $0, resources: [baseURL.origin]) }
    return configuration
  }
}

/// What a login at a conventional server is answered with, as JSON.
public struct LoginResponse: Codable, Equatable, Sendable {
  public var token: String
  /// What gets the next token.
  public var refreshToken: String?
  /// Seconds that the token lives.
  public var expiresIn: Double?
  public var user: User?

  public init(token: String, refreshToken: String? = nil, expiresIn: Double? = nil, user: User? = nil) {
    self.token = token
    self.refreshToken = refreshToken
    self.expiresIn = expiresIn
    self.user = user
  }
}

extension DefaultAuthServiceFactory {
  /// For the conventional server that the client names; see `AuthConfiguration.conventional`.
  public init(tokenStorage: any TokenStorage, networkClient: any NetworkClient, clientID: String? = nil) {
    self.init(
      configuration: .conventional(at: networkClient.baseURL, clientID: clientID), storage: tokenStorage, client: networkClient)
  }
}

extension SessionAuthService {
  /// For the conventional server that the client names; without one, for the session of this login.
  public convenience init(tokenStorage: any TokenStorage, networkClient: any NetworkClient) {
    let configuration = AuthConfiguration.conventional(at: networkClient.baseURL)
    if let server = configuration.session {
      self.init(server: server, account: configuration.account, storage: tokenStorage, client: networkClient)
    } else {
      let local = configuration.localSession ?? LocalIssuer(issuer: MissingIssuer(authType: .session), name: "")
      self.init(issuer: local.issuer, name: local.name, account: configuration.account, storage: tokenStorage)
    }
  }
}

extension JWTAuthService {
  /// For the conventional server that the client names; without one each login throws `AuthError.notConfigured`.
  public convenience init(tokenStorage: any TokenStorage, networkClient: any NetworkClient) {
    let configuration = AuthConfiguration.conventional(at: networkClient.baseURL)
    if let server = configuration.jwt {
      self.init(server: server, account: configuration.account, storage: tokenStorage, client: networkClient)
    } else {
      self.init(
        issuer: MissingIssuer(authType: .jwt), name: "", account: configuration.account, resources: [], storage: tokenStorage,
        client: networkClient)
    }
  }
}

extension OAuth2AuthService {
  /// For the conventional server that the client names, as identity provider; without one each login fails.
  public convenience init(tokenStorage: any TokenStorage, networkClient: any NetworkClient, clientID: String) {
    let configuration = AuthConfiguration.conventional(at: networkClient.baseURL, clientID: clientID)
    self.init(
      client: configuration.oauth2 ?? OAuth2Client(issuer: "", clientID: clientID), account: configuration.account,
      storage: tokenStorage, network: networkClient)
  }
}

/// In the place of a server that is not configured.
private struct MissingIssuer: TokenIssuer {
  let authType: AuthType

  func issue(for credentials: AuthCredentials) async throws -> TokenGrant { throw AuthError.notConfigured(authType) }
  func refresh(_ refreshToken: String) async throws -> TokenGrant { throw AuthError.notConfigured(authType) }
  func revoke(_ refreshToken: String) async throws {}
}
