import SignetAuthTestKit
import SignetTestKit
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// What somebody in between, beside the browser or with an old answer gets of django-oauth-toolkit.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct DjangoAttackTests {
  private let providers: Providers
  private let signIn: OAuth2SignIn

  init() throws {
    providers = try Providers.shared
    signIn = try DjangoOAuth2Tests.signIn(providers)
  }

  @Test func `a code is good once`() async throws {
    let interceptor = Interceptor(providers.network)
    let service = signIn.with { $0.network = interceptor }.service
    _ = try await service.login(credentials: .browser)
    let redeemed = try #require(interceptor.requests(with: "code").first)
    let again = try await providers.network.send(redeemed)
    #expect(again.status == 400 && TokenResponse.errorCode(again) == "invalid_grant")
  }

  @Test(
    arguments: [
      ("code", "guessed", "invalid_grant"), ("code_verifier", String(repeating: "x", count: 43), "invalid_grant"),
      // RFC 6749, 5.2, wants invalid_grant here, too.
      ("redirect_uri", "http://127.0.0.1:1/callback", "invalid_request"), ("client_id", "device", "unauthorized_client"),
    ])
  func `a code is worth nothing with another verifier, port or client`(field: String, value: String, error: String) async throws {
    let interceptor = Interceptor(providers.network) { if $0["code"] != nil { $0[field] = value } }
    let changed = signIn.with { $0.network = interceptor }
    #expect(try await changed.failure() == .oauth2(host: OAuth2SignIn.host, .code(OAuth2Code(error))))
    #expect(interceptor.requests(with: "code").count == 1 && changed.storage.tokens.isEmpty)
  }

  /// Both sign in at the provider by one request: the program takes the answer of the browser that it opened, once.
  @Test func `of two browsers that answer one request the program's own counts`() async throws {
    let browsers = TwoBrowsers(providers)
    let result = try await signIn.with { $0.browser = browsers }.service.login(credentials: .browser)
    #expect(result.user.name == "alice")
    try await browsers.finish()
    #expect(browsers.statuses == [302, 400, 400, 200])
  }

  @Test func `a code that expired is refused`() async throws {
    let strict = try Providers(only: "django", options: ["--code=-60"])
    let late = try DjangoOAuth2Tests.signIn(strict)
    #expect(try await late.failure() == .oauth2(host: OAuth2SignIn.host, .code("invalid_grant")))
    #expect(late.storage.tokens.isEmpty)
  }
}

/// Bob answers the request that the program opened alice's browser with, and then she does.
private final class TwoBrowsers: BrowserOpener {
  private let providers: Providers
  private let standing = Mutex((statuses: [Int](), visit: Task<Void, any Error>?.none))

  init(_ providers: Providers) { self.providers = providers }

  /// How the program answered: alice's first page, bob's first page, bob's answer, alice's answer.
  var statuses: [Int] { standing.withLock { $0.statuses } }

  func finish() async throws { try await standing.withLock { $0.visit }?.value }

  func open(_ url: String) async throws {
    let visiting = Task { try await visit(url) }
    standing.withLock { $0.visit = visiting }
    try await visiting.value
  }

  private func visit(_ url: String) async throws {
    let first = try await program(url)
    let cookie = String((first.headers["Set-Cookie"] ?? "").prefix { $0 != ";" })
    let question = first.headers["Location"] ?? ""
    try await program(url)
    try await program(Person(rig: providers.rig, name: "bob").redirect(from: question))
    try await program(Person(rig: providers.rig).redirect(from: question), cookie: cookie)
  }

  @discardableResult private func program(_ url: String, cookie: String? = nil) async throws -> NetworkResponse {
    var request = NetworkRequest(try Endpoint(url))
    request.headers["Cookie"] = cookie
    let response = try await providers.network.send(request)
    standing.withLock { $0.statuses.append(response.status) }
    return response
  }
}
