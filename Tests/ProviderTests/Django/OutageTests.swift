import Glibc
import SignetAuthTestKit
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// A server that hangs, and one that is gone. Each test stops a site of its own.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct OutageTests {
  private let providers: Providers
  private let storage = MemoryTokenStorage()

  init() throws { providers = try Providers(only: "django") }

  /// As in the next process: no connection is left from before.
  private func service(total: Duration = .seconds(120)) throws -> JWTAuthService {
    JWTAuthService(
      server: try SimpleJWTTests.server(providers), account: "a", storage: storage, client: try providers.network(total: total))
  }

  private func signal(_ number: Int32) throws {
    guard kill(try providers.rig.pid(of: "django"), number) == 0 else { throw TestKitError("no signal: \(errno)") }
  }

  @Test func `a server that hangs signs nobody out, and goes on where it stopped`() async throws {
    _ = try await service().login(credentials: .password(username: "alice", password: providers.password()))
    let token = try #require(storage.kept)
    try signal(SIGSTOP)
    let hanging = try service(total: .seconds(2))
    let error = try await failure { _ = try await hanging.login(credentials: .stored) }
    try signal(SIGCONT)
    #expect(error == .network(.timedOut(host: "localhost")))
    #expect(storage.kept == token)
    #expect(try await service().login(credentials: .stored).user == User(id: "1", name: "alice"))
  }

  @Test func `a server that is gone signs nobody out, and is told of a logout later`() async throws {
    let service = try service()
    _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    let token = try #require(storage.kept)
    try signal(SIGKILL)
    let next = try self.service()
    #expect(
      try await failure { _ = try await next.login(credentials: .stored) }
        == .network(.unreachable(host: "localhost", reason: "")))
    #expect(storage.kept == token)
    let site = try providers.endpoint("django", "url").origin.description
    #expect(try await failure { try await next.logout() } == .notRevoked(host: site))
    #expect(storage.kept == nil && next.state == .signedOut)
    #expect(await next.revokePending() == 1)
  }

  @Test func `a provider that is gone is no refusal`() async throws {
    let signIn = try DjangoOAuth2Tests.signIn(providers)
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    try signal(SIGKILL)
    #expect(
      try await failure { _ = try await service.refreshAuth() } == .network(.unreachable(host: "localhost", reason: "")))
    #expect(service.isAuthenticated && signIn.storage.kept != nil)
  }
}
