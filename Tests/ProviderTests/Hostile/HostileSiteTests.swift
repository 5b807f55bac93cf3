import SignetAuthTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// A site whose answers come wrong, for JWT and for sessions.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct HostileSiteTests {
  private static let limit = 1 << 20
  private let providers: Providers
  private let storage = MemoryTokenStorage()

  init() throws { providers = try Providers.shared }

  private func network(_ row: Row) throws -> HTTPNetworkClient {
    row.isOfTime ? try providers.network(total: .seconds(6)) : providers.network
  }

  private func jwt(_ row: Row, _ label: String, _ storage: MemoryTokenStorage) throws -> JWTAuthService {
    let site = try HostileSignIn(providers, row.name, label: label).issuer
    let server = JWTServer(
      obtain: try Endpoint(site + "/jwt/token/"), refresh: try Endpoint(site + "/jwt/refresh/"),
      revoke: try Endpoint(site + "/jwt/blacklist/"))
    return JWTAuthService(server: server, account: "a", storage: storage, client: try network(row))
  }

  private static func common(_ endpoint: String) -> [Row] {
    [
      .tooLarge("megabytes@\(endpoint)", limit), .tooLarge("endless@\(endpoint)", limit),
      .timedOut("slow@\(endpoint)"), .timedOut("silent@\(endpoint)"),
      .unreachable("closing@\(endpoint)"), .unreachable("reset@\(endpoint)"), .unreachable("not-http@\(endpoint)"),
      .unreachable("long-header@\(endpoint)"), .status("failing@\(endpoint)", 500), .status("limited@\(endpoint)", 429),
      Row("content-type@\(endpoint)"),
    ]
  }

  private static func unreadable(_ endpoint: String) -> [Row] {
    ["garbage", "not-utf8", "deep"].map { .invalid("\($0)@\(endpoint)", "no JSON object") }
  }

  private static func redirected(_ endpoint: String) -> [Row] {
    [.status("redirect-302@\(endpoint)", 302), .status("redirect-307@\(endpoint)", 307), .status("around-307@\(endpoint)", 307)]
  }

  static let obtaining = [Row("none")] + common("jwt.token") + unreadable("jwt.token") + redirected("jwt.token")

  @Test(arguments: obtaining) func `an answer that comes wrong is no sign-in`(row: Row) async throws {
    let service = try jwt(row, "obtain", storage)
    let error = try await failure {
      _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    }
    #expect(error == row.error)
    #expect(service.isAuthenticated == (row.error == nil) && storage.tokens.isEmpty == (row.error != nil))
  }

  @Test(arguments: [302, 307]) func `no password goes to another origin`(status: Int) async throws {
    let service = try jwt(Row("redirect-\(status)@jwt.token"), "password", storage)
    let error = try await failure {
      _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    }
    #expect(error == .server(host: HostileSignIn.host, status: status))
    let counts = try providers.endpoint("hostile", "hostile", path: "/counts")
    for method in ["GET", "POST"] { #expect(try await providers.count("other \(method) /none/jwt/token/", at: counts) == 0) }
  }

  static let refreshing = [Row("none")] + common("jwt.refresh") + unreadable("jwt.refresh") + redirected("jwt.refresh")

  @Test(arguments: refreshing) func `a refresh whose answer comes wrong ends nothing`(row: Row) async throws {
    let origin = try providers.endpoint("hostile", "hostile").origin.description
    let storage = try MemoryTokenStorage.holding("kept", user: "1", for: origin)
    let service = try jwt(row, "refresh", storage)
    let error = try await failure { _ = try await service.login(credentials: .stored) }
    #expect(error == row.error)
    #expect((storage.kept == "kept") == (row.error != nil) && storage.kept != nil)
  }

  static let sessions =
    [Row("none"), Row("garbage@session.login")] + common("session.login") + redirected("session.login") + common("session.me")
    + unreadable("session.me") + [Row("redirect-302@session.me", .loginRequired(.refusedByServer))]

  /// The page with the form may be anything: its cookies count.
  @Test(arguments: sessions) func `an answer that comes wrong is no session`(row: Row) async throws {
    let site = try HostileSignIn(providers, row.name, label: "session").issuer
    let server = try SessionServer(
      login: Endpoint(site + "/session/login/"), logout: Endpoint(site + "/session/logout/"),
      user: Endpoint(site + "/session/me/"))
    let service = SessionAuthService(server: server, account: "a", storage: storage, client: try network(row))
    let error = try await failure {
      _ = try await service.login(credentials: .password(username: "alice", password: providers.password()))
    }
    #expect(error == row.error)
    #expect(service.isAuthenticated == (row.error == nil) && storage.tokens.isEmpty == (row.error != nil))
  }
}
