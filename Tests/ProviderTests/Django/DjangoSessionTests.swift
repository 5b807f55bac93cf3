import SignetAuthTestKit
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// Django's own sign-in, with its form, its cookies and its protection against forged requests.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct DjangoSessionTests {
  private let providers: Providers
  private let storage = MemoryTokenStorage()

  init() throws { providers = try Providers.shared }

  static func server(_ providers: Providers) throws -> SessionServer {
    try SessionServer(
      login: try providers.endpoint("django", "url", path: "/accounts/login/"),
      logout: try providers.endpoint("django", "url", path: "/session/logout/"),
      user: try providers.endpoint("django", "url", path: "/session/me/"))
  }

  private func service(_ storage: MemoryTokenStorage? = nil, time: any TimeSource = SystemTime()) throws -> SessionAuthService {
    SessionAuthService(
      server: try Self.server(providers), account: "a", storage: storage ?? self.storage, client: providers.network, time: time)
  }

  private func signedIn() async throws -> SessionAuthService {
    let service = try service()
    _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    return service
  }

  private func storage(holding jar: String) throws -> MemoryTokenStorage {
    try .holding(jar, user: "1", for: try providers.endpoint("django", "url").origin.description, kind: .session)
  }

  @Test func `a sign-in says who it is, and its cookies go with requests`() async throws {
    let service = try service()
    let before = SystemTime().now
    let result = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    #expect(result.user == User(id: "1", name: "alice") && result.isStored)
    // The session lives for an hour.
    #expect(try #require(result.expiration) > before + 3000 && result.expiration ?? 0 < SystemTime().now + 3601)
    let answer = try await service.send(NetworkRequest(providers.endpoint("django", "url", path: "/session/me/")))
    #expect(answer.status == 200)
  }

  @Test func `a wrong password is refused`() async throws {
    let service = try service()
    let wrong = AuthCredentials.password(username: "alice", password: try #require(Password("wrong")))
    #expect(try await failure { _ = try await service.login(credentials: wrong) } == .refused(host: "localhost"))
    #expect(!service.isAuthenticated && storage.tokens.isEmpty)
  }

  @Test func `a session goes on in the next process`() async throws {
    _ = try await signedIn()
    let next = try service()
    #expect(try await next.login(credentials: .stored).user == User(id: "1", name: "alice"))
  }

  @Test func `after a logout the server takes the cookies no more`() async throws {
    let service = try await signedIn()
    let jar = try #require(storage.kept)
    try await service.logout()
    #expect(storage.tokens.isEmpty && service.state == .signedOut)
    let late = try self.service(storage(holding: jar))
    #expect(try await failure { _ = try await late.login(credentials: .stored) } == .loginRequired(.refusedByServer))
  }

  @Test func `a session that was ended elsewhere leads to the login at the next request`() async throws {
    let service = try await signedIn()
    let other = try self.service(storage(holding: try #require(storage.kept)))
    _ = try await other.login(credentials: .stored)
    try await other.logout()
    let request = NetworkRequest(try providers.endpoint("django", "url", path: "/session/me/"))
    #expect(try await failure { _ = try await service.send(request) } == .loginRequired(.refusedByServer))
    #expect(service.state == .loginRequired(.refusedByServer) && storage.tokens.isEmpty)
  }

  @Test func `another login ends the session before it`() async throws {
    let service = try await signedIn()
    let first = try #require(storage.kept)
    _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    let late = try self.service(storage(holding: first))
    #expect(try await failure { _ = try await late.login(credentials: .stored) } == .loginRequired(.refusedByServer))
    #expect(try await service.refreshAuth()?.user.id == "1")
  }

  @Test func `cookies go to no other port of the machine`() async throws {
    let service = try await signedIn()
    let elsewhere = try providers.endpoint("hostile", "hostile", path: "/none~cookies/session/me/")
    #expect(try await failure { _ = try await service.send(NetworkRequest(elsewhere)) } == .notThisServer(host: "localhost"))
  }
}
