import SignetAuthTestKit
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// A hundred callers at once, and what the server saw of it: a site of their own, one test after the other.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .serialized, .timeLimit(.minutes(10)))
struct CrowdTests {
  private static let own = Result { try Providers(only: "django") }
  private let providers: Providers

  init() throws { providers = try Self.own.get() }

  private func count(_ name: String) async throws -> Int {
    try await providers.count(name, at: providers.endpoint("django", "url", path: "/counts/"))
  }

  /// The access tokens that a hundred get who did not like the old one.
  private func crowd(_ old: String, _ token: @escaping @Sendable (String) async throws -> String) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { try await token(old) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func `a hundred callers make one refresh at simplejwt`() async throws {
    let service = JWTAuthService(
      server: try SimpleJWTTests.server(providers), account: "a", storage: MemoryTokenStorage(), client: providers.network)
    _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    let old = try await service.accessToken()
    let before = try await count("POST /jwt/refresh/ 200")
    let tokens = try await crowd(old) { try await service.accessToken(insteadOf: $0) }
    #expect(tokens.count == 100 && Set(tokens).count == 1 && tokens.first != old)
    #expect(try await count("POST /jwt/refresh/ 200") == before + 1)
    #expect(try await count("POST /jwt/refresh/ 401") == 0)
  }

  @Test func `a hundred callers make one refresh at django-oauth-toolkit`() async throws {
    let service = try DjangoOAuth2Tests.signIn(providers).service
    _ = try await service.login(credentials: .browser)
    let old = try await service.accessToken()
    let before = try await count("POST /o/token/ 200")
    let tokens = try await crowd(old) { try await service.accessToken(insteadOf: $0) }
    #expect(tokens.count == 100 && Set(tokens).count == 1 && tokens.first != old)
    #expect(try await count("POST /o/token/ 200") == before + 1)
    #expect(try await count("POST /o/token/ 400") == 0)
  }

  @Test func `a hundred requests whose token was revoked make one refresh`() async throws {
    let service = JWTAuthService(
      server: try SimpleJWTTests.server(providers), account: "a", storage: MemoryTokenStorage(),
      client: RefusingOnce(providers.network))
    _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    let request = NetworkRequest(try providers.endpoint("django", "url", path: "/jwt/me/"))
    let before = try await count("POST /jwt/refresh/ 200")
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { try await service.send(request).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 100))
    #expect(try await count("POST /jwt/refresh/ 200") == before + 1)
  }
}
