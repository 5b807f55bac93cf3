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
    case .oauth2: throw AuthError.notConfigured(type)
    }
  }
}

/// The servers of an application, and what its tokens are stored under.
public struct AuthConfiguration: Sendable {
  public var account: String
  public var session: SessionServer?
  public var jwt: JWTServer?

  public init(account: String, session: SessionServer? = nil, jwt: JWTServer? = nil) {
    self.account = account
    self.session = session
    self.jwt = jwt
  }
}
