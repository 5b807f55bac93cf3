import Foundation
import Observation
import Synchronization

/// One service out of three, switched while the application runs, and what a user interface shows of it. Any thread may use it.
///
/// `isAuthenticated` and `currentUser` are observed as of any `@Observable` class. Each change of the service is told once.
@Observable public final class AuthContainer: Sendable {
  private struct Current {
    var authType: AuthType
    var service: any AuthenticationService
    /// Those that were used before: each keeps its own sign-in.
    var services: [AuthType: any AuthenticationService]
    var observation: AuthObservation?
    var user: User?
  }

  @ObservationIgnored private let factory: any AuthServiceFactory
  @ObservationIgnored private let current: Mutex<Current>
  /// Held while observers are told, so that two threads do not tell of one change. Who is told may switch in the midst of it.
  @ObservationIgnored private let telling = NSRecursiveLock()

  /// - Throws: what the factory does where it has no service of this kind.
  public convenience init(factory: any AuthServiceFactory, authType: AuthType) throws {
    self.init(factory, authType, try factory.createService(for: authType))
  }

  /// Where the factory has no service of this kind, each login throws why.
  public convenience init(authServiceFactory: any AuthServiceFactory, authType: AuthType = .session) {
    self.init(authServiceFactory, authType, authServiceFactory.serviceOrNone(for: authType))
  }

  private init(_ factory: any AuthServiceFactory, _ authType: AuthType, _ service: any AuthenticationService) {
    self.factory = factory
    let services = service is NoAuthenticationService ? [:] : [authType: service]
    current = Mutex(
      Current(authType: authType, service: service, services: services, observation: nil, user: service.currentUser))
    observe(service)
  }

  /// A container as most applications want it: over the network, with the vault.
  ///
  /// - Throws: `AuthError.notConfigured`, or `NetworkError.invalidTrust`.
  public static func build(
    configuration: AuthConfiguration, authType: AuthType, storage: any TokenStorage = KeychainTokenStorage(),
    client: (any NetworkClient)? = nil, trust: ServerTrust = ServerTrust(), time: any TimeSource = SystemTime()
  ) throws -> AuthContainer {
    let client = try client ?? RetryingNetworkClient(HTTPNetworkClient(trust: trust), time: time)
    return try AuthContainer(
      factory: DefaultAuthServiceFactory(configuration: configuration, storage: storage, client: client, time: time),
      authType: authType)
  }

  /// A container for a conventional server (`AuthConfiguration.conventional`), with the vault.
  ///
  /// - Parameter networkClient: names the server; without one there is only the session of this login, of which signetd knows.
  public static func build(
    authType: AuthType = .session, tokenStorage: any TokenStorage = KeychainTokenStorage(),
    networkClient: (any NetworkClient)? = nil, clientID: String? = nil
  ) -> AuthContainer {
    AuthContainer(
      authServiceFactory: DefaultAuthServiceFactory(
        tokenStorage: tokenStorage, networkClient: networkClient ?? NoNetworkClient(), clientID: clientID),
      authType: authType)
  }

  public var isAuthenticated: Bool {
    access(keyPath: \.isAuthenticated)
    return current.withLock { $0.user != nil }
  }

  public var currentUser: User? {
    access(keyPath: \.currentUser)
    return current.withLock { $0.user }
  }

  public var authType: AuthType {
    access(keyPath: \.authType)
    return current.withLock { $0.authType }
  }

  /// The service that is used now.
  public var service: any AuthenticationService { current.withLock { $0.service } }

  /// The same.
  public var currentAuthService: any AuthenticationService { service }

  /// Uses another service from now on. The one before keeps what it holds, and is the same when it is switched back to.
  ///
  /// - Throws: what the factory does where it has no service of this kind; then nothing changes.
  public func switchAuthType(to type: AuthType) throws { try switchAuthType(type) { try factory.createService(for: type) } }

  /// The same; where the factory has no service of this kind, nobody is signed in and each login throws why.
  public func switchAuthType(_ type: AuthType) { switchAuthType(type) { factory.serviceOrNone(for: type) } }

  private func switchAuthType(_ type: AuthType, _ make: () throws -> any AuthenticationService) rethrows {
    telling.lock()
    defer { telling.unlock() }
    let known = current.withLock { $0.services[type] }
    guard known == nil || current.withLock({ $0.authType != type }) else { return }
    let service = try known ?? make()
    let user = service.currentUser
    let before = current.withLock { $0.user }
    tell(of: [\.authType] + changes(from: before, to: user)) {
      current.withLock { current in
        current.authType = type
        current.service = service
        // The factory may have one another time.
        current.services[type] = service is NoAuthenticationService ? nil : service
        current.observation = nil
        current.user = user
      }
    }
    observe(service)
  }

  /// Signs in by the service that is used now.
  @discardableResult public func login(credentials: AuthCredentials) async throws -> AuthResult {
    let service = service
    defer { update(service) }
    return try await service.login(credentials: credentials)
  }

  public func logout() async throws {
    let service = service
    defer { update(service) }
    try await service.logout()
  }

  @discardableResult public func refreshAuth() async throws -> AuthResult? {
    let service = service
    defer { update(service) }
    return try await service.refreshAuth()
  }

  private func observe(_ service: any AuthenticationService) {
    guard let publishing = service as? any AuthStatePublishing else { return }
    let observation = publishing.observe { [weak self, weak service] _ in
      if let self, let service { self.update(service) }
    }
    current.withLock { if $0.service === service { $0.observation = observation } }
    update(service)
  }

  /// Takes over who is signed in; where that is the same, nobody is told.
  private func update(_ service: any AuthenticationService) {
    telling.lock()
    defer { telling.unlock() }
    let user = service.currentUser
    let changed = current.withLock { current -> [PartialKeyPath<AuthContainer>] in
      current.service === service ? changes(from: current.user, to: user) : []
    }
    guard !changed.isEmpty else { return }
    tell(of: changed) { current.withLock { if $0.service === service { $0.user = user } } }
  }

  private func changes(from old: User?, to new: User?) -> [PartialKeyPath<AuthContainer>] {
    guard old != new else { return [] }
    return (old == nil) != (new == nil) ? [\.isAuthenticated, \.currentUser] : [\.currentUser]
  }

  /// Makes one change of several properties: who observes two of them is told once.
  private func tell(of changed: [PartialKeyPath<AuthContainer>], _ change: () -> Void) {
    if changed.contains(\.authType) {
      withMutation(keyPath: \.authType) { tell(of: changed.filter { $0 != \.authType }, change) }
    } else if changed.contains(\.isAuthenticated) {
      withMutation(keyPath: \.isAuthenticated) { withMutation(keyPath: \.currentUser, change) }
    } else if changed.contains(\.currentUser) {
      withMutation(keyPath: \.currentUser, change)
    } else {
      change()
    }
  }
}
