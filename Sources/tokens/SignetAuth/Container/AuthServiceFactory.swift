/// Makes the services of an application.
public protocol AuthServiceFactory: Sendable {
  /// - Throws: `AuthError.notConfigured` where there is none of this kind.
  func createService(for type: AuthType) throws -> any AuthenticationService
}

/// Makes the services from what is configured for each.
public struct DefaultAuthServiceFactory: AuthServiceFactory {
  private let configuration: AuthConfiguration
  private let storage: any TokenStorage
  private let client: any NetworkClient
  private let time: any TimeSource

  public init(
    configuration: AuthConfiguration, storage: any TokenStorage, client: any NetworkClient, time: any TimeSource = SystemTime()
  ) {
    self.configuration = configuration
    self.storage = storage
    self.client = client
    self.time = time
  }

  public func createService(for type: AuthType) throws -> any AuthenticationService {
    let account = configuration.account
    switch type {
    case .session:
      if let server = configuration.session {
        return SessionAuthService(server: server, account: account, storage: storage, client: client, time: time)
      }
      guard let local = configuration.localSession else { throw AuthError.notConfigured(type) }
      return SessionAuthService(issuer: local.issuer, name: local.name, account: account, storage: storage, time: time)
    case .jwt:
      if let server = configuration.jwt {
        return JWTAuthService(server: server, account: account, storage: storage, client: client, time: time)
      }
      guard let local = configuration.localJWT else { throw AuthError.notConfigured(type) }
      return JWTAuthService(
        issuer: local.issuer, name: local.name, account: account, resources: local.resources, storage: storage, client: client,
        time: time)
    case .oauth2:
      guard let provider = configuration.oauth2 else { throw AuthError.notConfigured(type) }
      return OAuth2AuthService(
        client: provider, account: account, storage: storage, network: client, interaction: configuration.interaction, time: time)
    }
  }
}

/// An issuer on this machine, signetd above all, in the place of a server.
public struct LocalIssuer: Sendable {
  public var issuer: any TokenIssuer
  /// What it is called in the storage and in errors.
  public var name: String
  /// Which servers its access tokens may be sent to.
  public var resources: Set<Endpoint.Origin>

  public init(issuer: any TokenIssuer, name: String, resources: Set<Endpoint.Origin> = []) {
    self.issuer = issuer
    self.name = name
    self.resources = resources
  }
}

/// The servers of an application, and what its tokens are stored under.
public struct AuthConfiguration: Sendable {
  public var account: String
  public var session: SessionServer?
  public var jwt: JWTServer?
  public var oauth2: OAuth2Client?
  /// Used where there is no `session`.
  public var localSession: LocalIssuer?
  /// Used where there is no `jwt`.
  public var localJWT: LocalIssuer?
  /// How a sign-in at a provider is shown.
  public var interaction: OAuth2AuthService.Interaction

  /// - Parameter account: what all tokens are stored under: a name of the application's own.
  public init(
    account: String, session: SessionServer? = nil, jwt: JWTServer? = nil, oauth2: OAuth2Client? = nil,
    localSession: LocalIssuer? = nil, localJWT: LocalIssuer? = nil,
    interaction: OAuth2AuthService.Interaction = OAuth2AuthService.Interaction()
  ) {
    self.account = account
    self.session = session
    self.jwt = jwt
    self.oauth2 = oauth2
    self.localSession = localSession
    self.localJWT = localJWT
    self.interaction = interaction
  }
}
