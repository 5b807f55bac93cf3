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
      guard let server = configuration.session else { throw AuthError.notConfigured(type) }
      return SessionAuthService(server: server, account: account, storage: storage, client: client, time: time)
    case .jwt:
      guard let server = configuration.jwt else { throw AuthError.notConfigured(type) }
      return JWTAuthService(server: server, account: account, storage: storage, client: client, time: time)
    case .oauth2:
      guard let provider = configuration.oauth2 else { throw AuthError.notConfigured(type) }
      return OAuth2AuthService(
        client: provider, account: account, storage: storage, network: client, interaction: configuration.interaction, time: time)
    }
  }
}

/// The servers of an application, and what its tokens are stored under.
public struct AuthConfiguration: Sendable {
  public var account: String
  public var session: SessionServer?
  public var jwt: JWTServer?
  public var oauth2: OAuth2Client?
  /// How a sign-in at a provider is shown.
  public var interaction: OAuth2AuthService.Interaction

  /// - Parameter account: what all tokens are stored under: a name of the application's own.
  public init(
    account: String, session: SessionServer? = nil, jwt: JWTServer? = nil, oauth2: OAuth2Client? = nil,
    interaction: OAuth2AuthService.Interaction = OAuth2AuthService.Interaction()
  ) {
    self.account = account
    self.session = session
    self.jwt = jwt
    self.oauth2 = oauth2
    self.interaction = interaction
  }
}
