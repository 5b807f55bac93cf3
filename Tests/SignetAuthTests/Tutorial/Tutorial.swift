// Sources as somebody writes them who was taught sign-in by a container that switches between three services: names for tokens,
// doubles with two methods, nothing configured. They use what is public alone, in Swift 5's mode.
import Observation
import SignetAuthTestKit

/// Two methods, and names.
public class TwoMethodStorage: TokenStorage, @unchecked Sendable {
  public var tokens: [String: String] = [:]
  public var shouldFail = false

  public init() {}

  public func store(token: String, for key: String) throws {
    if shouldFail { throw TokenStorageError.storeFailed }
    tokens[key] = token
  }

  public func retrieve(for key: String) throws -> String? { tokens[key] }
}

/// None at all: it compiles, and keeps nothing.
public struct NoMethodStorage: TokenStorage { public init() {} }

/// A service of one's own, by the client's short form.
public final class NoteService: AuthenticationService, @unchecked Sendable {
  public let authType = AuthType.jwt
  private let storage: TokenStorage
  private let client: NetworkClient
  public private(set) var currentUser: User?
  public var isAuthenticated: Bool { currentUser != nil }

  public init(storage: TokenStorage, client: NetworkClient) {
    self.storage = storage
    self.client = client
  }

  public func login(credentials: AuthCredentials) async throws -> AuthResult {
    let answer: LoginResponse = try await client.request(
      endpoint: "/auth/login", method: .POST, headers: ["X-App": "notes"], body: ["user": "alice"])
    try storage.store(token: answer.token, for: "notes")
    let user = answer.user ?? User(id: "alice")
    currentUser = user
    return AuthResult(user: user, authType: authType)
  }

  public func logout() async throws {
    try storage.delete(for: "notes")
    currentUser = nil
  }

  public func refreshAuth() async throws -> AuthResult? {
    guard let token = try storage.retrieve(for: "notes") else { throw AuthError.tokenExpired }
    let answer: APIResponse = try await client.request(
      endpoint: "notes?page=1", method: .GET, headers: ["Authorization": "Bearer \(token)"])
    guard answer.statusCode == 200, let user = currentUser else { throw AuthError.tokenExpired }
    return AuthResult(user: user, authType: .jwt)
  }
}

public struct NoteServiceFactory: AuthServiceFactory {
  let storage: TokenStorage
  let client: NetworkClient

  public init(storage: TokenStorage, client: NetworkClient) {
    self.storage = storage
    self.client = client
  }

  public func createService(for type: AuthType) throws -> any AuthenticationService {
    switch type {
    case .jwt: return NoteService(storage: storage, client: client)
    case .session: return SessionAuthService(tokenStorage: storage, networkClient: client)
    case .oauth2: return OAuth2AuthService(tokenStorage: storage, networkClient: client, clientID: "notes")
    }
  }
}

/// What a view shows.
@Observable public final class LoginModel {
  public let container: AuthContainer
  public var message = ""

  public init(container: AuthContainer) { self.container = container }

  public func use(_ type: AuthType) {
    container.switchAuthType(type)
    message = "\(type.rawValue): \(container.isAuthenticated)"
  }

  public func login(_ credentials: AuthCredentials) async {
    do {
      let result = try await container.currentAuthService.login(credentials: credentials)
      message = "Welcome, \(result.user.name ?? result.user.id)"
    } catch TokenStorageError.storeFailed { message = "No room" } catch AuthError.tokenExpired { message = "Log in again" } catch
    { message = "\(error)" }
  }
}

/// What the page of a tutorial ends with.
public func standardContainer(storage: TokenStorage, client: NetworkClient) -> AuthContainer {
  AuthContainer(authServiceFactory: DefaultAuthServiceFactory(tokenStorage: storage, networkClient: client))
}

public func jwtService(storage: TokenStorage, client: NetworkClient) -> AuthenticationService {
  JWTAuthService(tokenStorage: storage, networkClient: client)
}

public func finish(_ service: OAuth2AuthService, code: String) async throws -> AuthResult {
  try await service.handleOAuth2Callback(code: code)
}
