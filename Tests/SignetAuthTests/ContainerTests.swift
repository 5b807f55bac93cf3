import Observation
import SignetAuthTestKit
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct ContainerTests {
  private let storage = MemoryTokenStorage()

  private func container(_ type: AuthType = .jwt) throws -> AuthContainer {
    try AuthContainer(factory: IssuerFactory(storage: storage), authType: type)
  }

  /// Counts the changes of what `read` reads.
  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }

    func watch(_ read: @escaping @Sendable () -> Void) {
      withObservationTracking(read) { [weak self] in
        self?.count.withLock { $0 += 1 }
      }
    }
  }

  @Test func `a login and a logout are seen`() async throws {
    let container = try container()
    #expect(!container.isAuthenticated && container.currentUser == nil && container.authType == .jwt)
    try await container.login(credentials: .local)
    #expect(container.isAuthenticated && container.currentUser?.name == "jwt")
    try await container.logout()
    #expect(!container.isAuthenticated && container.currentUser == nil)
  }

  @Test func `who observes one or both properties is told of a login once`() async throws {
    let container = try container()
    let (one, both) = (Counter(), Counter())
    one.watch { _ = container.isAuthenticated }
    both.watch { _ = (container.isAuthenticated, container.currentUser) }
    try await container.login(credentials: .local)
    #expect(one.value == 1 && both.value == 1)
  }

  @Test func `a refresh that changes nothing is not told`() async throws {
    let container = try container()
    try await container.login(credentials: .local)
    let counter = Counter()
    counter.watch { _ = (container.isAuthenticated, container.currentUser, container.authType) }
    #expect(try await container.refreshAuth() != nil)
    #expect(counter.value == 0)
  }

  @Test func `each service keeps its sign-in while another one is used`() async throws {
    let container = try container()
    try await container.login(credentials: .local)
    let counter = Counter()
    counter.watch { _ = (container.isAuthenticated, container.currentUser, container.authType) }
    try container.switchAuthType(to: .session)
    #expect(counter.value == 1 && !container.isAuthenticated && container.authType == .session)
    try await container.login(credentials: .local)
    #expect(container.currentUser?.name == "session")
    try container.switchAuthType(to: .jwt)
    #expect(container.currentUser?.name == "jwt")
  }

  @Test func `what happens to a service that is not used is not seen`() async throws {
    let container = try container()
    let jwt = container.service
    try container.switchAuthType(to: .session)
    _ = try await jwt.login(credentials: .local)
    #expect(!container.isAuthenticated)
  }

  @Test func `a kind that is not configured leaves all as it was`() async throws {
    let container = try container()
    try await container.login(credentials: .local)
    #expect(throws: AuthError.notConfigured(.oauth2)) { try container.switchAuthType(to: .oauth2) }
    #expect(container.isAuthenticated && container.authType == .jwt)
  }

  @Test func `a service that does not publish is looked at after each call`() async throws {
    let container = try AuthContainer(factory: PlainFactory(), authType: .session)
    try await container.login(credentials: .local)
    #expect(container.currentUser?.id == "plain")
    try await container.logout()
    #expect(!container.isAuthenticated)
  }

  @Test func `many threads switch and sign in, and in the end it says what its service says`() async throws {
    let container = try container()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          switch number % 3 {
          case 0: try? container.switchAuthType(to: number % 2 == 0 ? .session : .jwt)
          case 1: _ = try? await container.login(credentials: .local)
          default: try? await container.logout()
          }
        }
      }
    }
    #expect(container.currentUser == container.service.currentUser)
    #expect(container.authType == container.service.authType)
  }
}

private struct IssuerFactory: AuthServiceFactory {
  let storage: MemoryTokenStorage

  func createService(for type: AuthType) throws -> any AuthenticationService {
    let issuer = ScriptedIssuer(user: User(id: "1", name: type.rawValue))
    switch type {
    case .session: return SessionAuthService(issuer: issuer, name: "issuer", account: "a", storage: storage)
    case .jwt:
      return JWTAuthService(
        issuer: issuer, name: "issuer", account: "a", resources: [], storage: storage, client: ScriptedNetworkClient())
    case .oauth2: throw AuthError.notConfigured(type)
    }
  }
}

private struct PlainFactory: AuthServiceFactory {
  func createService(for type: AuthType) throws -> any AuthenticationService { PlainService() }
}

private final class PlainService: AuthenticationService {
  private let user = Mutex<User?>(nil)
  let authType = AuthType.session
  var isAuthenticated: Bool { currentUser != nil }
  var currentUser: User? { user.withLock { $0 } }

  func login(credentials: AuthCredentials) async throws -> AuthResult {
    let user = User(id: "plain")
    self.user.withLock { $0 = user }
    return AuthResult(authType: authType, user: user, expiration: nil, isStored: false)
  }

  func logout() async throws { user.withLock { $0 = nil } }
  func refreshAuth() async throws -> AuthResult? { nil }
}
