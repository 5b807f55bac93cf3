import SignetAuthTestKit
import SignetJWT
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// django-oauth-toolkit, by a browser.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct DjangoOAuth2Tests {
  private let providers: Providers
  private let signIn: OAuth2SignIn

  init() throws {
    providers = try Providers.shared
    signIn = try Self.signIn(providers)
  }

  /// Its OpenID document leaves out where tokens are revoked.
  static func signIn(_ providers: Providers, clientID: String = "native") throws -> OAuth2SignIn {
    var signIn = try OAuth2SignIn(providers, issuer: try providers.rig.fact("django", "issuer"), clientID: clientID)
    signIn.client.scopes = ["openid", "profile", "email"]
    signIn.client.unlisted.revocation = try providers.endpoint("django", "issuer", path: "/revoke_token/")
    return signIn
  }

  private var userinfo: Endpoint { get throws { try providers.endpoint("django", "issuer", path: "/userinfo/") } }

  private func status(with token: String) async throws -> Int { try await providers.get(userinfo, bearer: token).status }

  @Test func `a sign-in goes through the browser, to a token that the provider takes`() async throws {
    let service = signIn.service
    let result = try await service.login(credentials: .browser)
    #expect(result.user == User(id: "1", name: "alice") && result.isStored)
    let answer = try await service.send(NetworkRequest(providers.endpoint("django", "url", path: "/oauth2/me/")))
    #expect(try answer.object(from: Endpoint("https://localhost/"))["user"]?.object?["username"] == "alice")
  }

  @Test(arguments: ["basic", "post"]) func `a client with a secret signs in`(way: String) async throws {
    let secret = try #require(Password(try providers.rig.fact("django", "clients", "confidential", "secret")))
    var confidential = try Self.signIn(providers, clientID: "confidential")
    confidential.client.authentication = way == "basic" ? .secretBasic(secret) : .secretPost(secret)
    #expect(try await confidential.service.login(credentials: .browser).user.id == "1")
    let wrong = try #require(Password("wrong"))
    confidential.client.authentication = way == "basic" ? .secretBasic(wrong) : .secretPost(wrong)
    #expect(try await confidential.failure() == .oauth2(host: OAuth2SignIn.host, .code("invalid_client")))
  }

  @Test func `a refresh rotates, and an old token ends the sign-in of whoever has it`() async throws {
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    let first = try #require(signIn.storage.kept)
    let access = try await service.accessToken()
    #expect(try await service.refreshAuth()?.isStored == true)
    #expect(signIn.storage.kept != nil && signIn.storage.kept != first)
    #expect(try await status(with: access) == 401)
    let thief = try signIn.service(holding: first, user: "1")
    #expect(try await failure { _ = try await thief.login(credentials: .stored) } == .loginRequired(.refusedByServer))
    for _ in 1...2 { #expect(try await failure { _ = try await service.refreshAuth() } == .loginRequired(.refusedByServer)) }
    #expect(service.state == .loginRequired(.refusedByServer) && signIn.storage.tokens.isEmpty)
  }

  @Test func `after a logout the provider takes neither token`() async throws {
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    let (access, refresh) = (try await service.accessToken(), try #require(signIn.storage.kept))
    #expect(try await status(with: access) == 200)
    try await service.logout()
    #expect(service.state == .signedOut && signIn.storage.tokens.isEmpty)
    #expect(try await status(with: access) == 401)
    let late = try signIn.service(holding: refresh, user: "1")
    #expect(try await failure { _ = try await late.login(credentials: .stored) } == .loginRequired(.refusedByServer))
  }

  @Test func `where to sign out stands in the metadata of RFC 8414 alone`() async throws {
    let unlisted = signIn.with { $0.client.unlisted.revocation = nil }
    let service = unlisted.service
    _ = try await service.login(credentials: .browser)
    let access = try await service.accessToken()
    try await service.logout()
    #expect(service.state == .signedOut && unlisted.storage.tokens.isEmpty)
    #expect(try await status(with: access) == 401)
  }

  @Test func `tokens that were revoked elsewhere lead to the login`() async throws {
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    let revocation = try providers.endpoint("django", "issuer", path: "/revoke_token/")
    let token = try await service.accessToken()
    let answer = try await providers.network.send(.form(revocation, [("token", token), ("client_id", "native")]))
    #expect(answer.status == 200)
    let request = NetworkRequest(try userinfo)
    for _ in 1...2 { #expect(try await failure { _ = try await service.send(request) } == .loginRequired(.refusedByServer)) }
    #expect(!service.isAuthenticated && signIn.storage.tokens.isEmpty)
  }

  /// It promises its name in every answer and leaves it out of this one: such an answer may be anybody's (RFC 9207, 2.4).
  @Test func `a refusal that does not say whose it is is not taken for the provider's`() async throws {
    let denying = signIn.with { $0.browser = Person(rig: providers.rig, options: ["--deny"]) }
    #expect(try await denying.failure() == .oauth2(host: OAuth2SignIn.host, .issuerMismatch))
    #expect(denying.storage.tokens.isEmpty)
  }

  @Test(
    arguments: [(3600, JWTError.expired), (-3600, .notYetValid), (30, nil), (-30, nil)] as [(Double, JWTError?)])
  func `a clock may be half a minute wrong, and no hour`(seconds: Double, error: JWTError?) async throws {
    let wrong = signIn.with { $0.time = WrongTime(by: seconds) }
    #expect(try await wrong.failure() == error.map { .token(host: OAuth2SignIn.host, $0) })
    #expect(wrong.storage.tokens.isEmpty == (error != nil))
  }
}
