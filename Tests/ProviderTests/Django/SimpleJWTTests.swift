import SignetAuthTestKit
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// djangorestframework-simplejwt.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct SimpleJWTTests {
  private let providers: Providers
  private let storage = MemoryTokenStorage()

  init() throws { providers = try Providers.shared }

  static func server(_ providers: Providers) throws -> JWTServer {
    JWTServer(
      obtain: try providers.endpoint("django", "url", path: "/jwt/token/"),
      refresh: try providers.endpoint("django", "url", path: "/jwt/refresh/"),
      revoke: try providers.endpoint("django", "url", path: "/jwt/blacklist/"))
  }

  private func service(_ storage: MemoryTokenStorage? = nil, _ providers: Providers? = nil) throws -> JWTAuthService {
    let providers = providers ?? self.providers
    return JWTAuthService(
      server: try Self.server(providers), account: "a", storage: storage ?? self.storage, client: providers.network)
  }

  private func storage(holding token: String) throws -> MemoryTokenStorage {
    try .holding(token, user: "1", for: try providers.endpoint("django", "url").origin.description)
  }

  private func credentials(_ password: String? = nil) throws -> AuthCredentials {
    .password(username: "alice", password: try password.flatMap { Password($0) } ?? providers.password())
  }

  @Test func `a sign-in gives a token that the server takes`() async throws {
    let service = try service()
    let result = try await service.login(credentials: credentials())
    #expect(result.user == User(id: "1", name: "alice") && result.isStored)
    #expect(try await service.send(NetworkRequest(providers.endpoint("django", "url", path: "/jwt/me/"))).status == 200)
  }

  @Test func `a wrong password is refused`() async throws {
    let service = try service()
    #expect(try await failure { _ = try await service.login(credentials: credentials("wrong")) } == .refused(host: "localhost"))
    #expect(!service.isAuthenticated && storage.tokens.isEmpty)
  }

  @Test func `a refresh rotates, and the old token leads to the login`() async throws {
    let service = try service()
    _ = try await service.login(credentials: credentials())
    let first = try #require(storage.kept)
    #expect(try await service.refreshAuth()?.user == User(id: "1", name: "alice"))
    #expect(storage.kept != nil && storage.kept != first)
    let old = try storage(holding: first)
    let late = try self.service(old)
    for _ in 1...2 {
      #expect(try await failure { _ = try await late.login(credentials: .stored) } == .loginRequired(.refusedByServer))
    }
    #expect(old.tokens.isEmpty && late.state == .loginRequired(.refusedByServer))
  }

  @Test func `a logout ends the refresh token at the server`() async throws {
    let service = try service()
    _ = try await service.login(credentials: credentials())
    let token = try #require(storage.kept)
    try await service.logout()
    #expect(storage.tokens.isEmpty && service.state == .signedOut)
    let late = try self.service(storage(holding: token))
    #expect(try await failure { _ = try await late.login(credentials: .stored) } == .loginRequired(.refusedByServer))
  }

  @Test func `a refresh token that expired leads to the login`() async throws {
    let strict = try Providers(only: "django", options: ["--refresh=-60"])
    defer { withExtendedLifetime(strict) {} }
    let service = try service(nil, strict)
    _ = try await service.login(credentials: .password(username: "alice", password: strict.password()))
    for _ in 1...2 { #expect(try await failure { _ = try await service.refreshAuth() } == .loginRequired(.refusedByServer)) }
    #expect(service.state == .loginRequired(.refusedByServer) && storage.tokens.isEmpty)
  }

  @Test func `tokens that have expired when they come are no sign-in`() async throws {
    let strict = try Providers(only: "django", options: ["--access=-60"])
    defer { withExtendedLifetime(strict) {} }
    let service = try service(nil, strict)
    let error = try await failure {
      _ = try await service.login(credentials: .password(username: "alice", password: strict.password()))
    }
    #expect(error == .invalidResponse(host: "localhost", what: "a token that has expired already"))
    #expect(storage.tokens.isEmpty)
  }

  @Test(arguments: [3600.0, -3600]) func `a clock that is an hour wrong does no harm`(seconds: Double) async throws {
    let service = JWTAuthService(
      server: try Self.server(providers), account: "a", storage: storage, client: providers.network, time: WrongTime(by: seconds))
    _ = try await service.login(credentials: credentials())
    let token = try await service.accessToken()
    #expect(try await providers.get(providers.endpoint("django", "url", path: "/jwt/me/"), bearer: token).status == 200)
    #expect(try await service.accessToken() == token)
  }
}
