import SignetAuthTestKit
import SignetJWT
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// glewlwyd, by a browser.
@Suite(.enabled(if: Providers.hasGlewlwyd, Providers.reasonToSkipGlewlwyd), .timeLimit(.minutes(10)))
struct GlewlwydOAuth2Tests {
  private let providers: Providers
  private let glewlwyd: GlewlwydSignIn

  init() throws {
    providers = try Providers.shared
    glewlwyd = try GlewlwydSignIn(providers)
  }

  @Test func `a sign-in goes through the browser, to a token that the provider takes`() async throws {
    let service = try glewlwyd().service
    let result = try await service.login(credentials: .browser)
    #expect(result.user.name == "Alice Example" && !result.user.id.isEmpty && result.isStored)
    let answer = try await service.send(NetworkRequest(glewlwyd.endpoint("userinfo")))
    #expect(answer.status == 200)
    #expect(try answer.object(from: glewlwyd.endpoint("userinfo"))["sub"]?.string == result.user.id)
  }

  @Test func `a port that is not registered leads to no sign-in`() async throws {
    var signIn = try glewlwyd.device()
    signIn.client.redirectPort = 0
    #expect(try await signIn.failure() == .oauth2(host: OAuth2SignIn.host, .noBrowser))
    #expect(signIn.storage.tokens.isEmpty)
  }

  @Test func `a sign-in may follow another one on the same port`() async throws {
    let signIn = try glewlwyd()
    _ = try await signIn.service.login(credentials: .browser)
    // The kernel keeps the first one's closed connections for a minute, and the listener does not say that it does not mind.
    let second = try await signIn.service.login(credentials: .browser)
    #expect(second.isStored)
  }

  @Test func `a refresh rotates, and the new token goes on`() async throws {
    let signIn = try glewlwyd()
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    let first = try #require(signIn.storage.kept)
    _ = try await service.refreshAuth()
    let second = try #require(signIn.storage.kept)
    #expect(second != first)
    #expect(try await service.refreshAuth()?.isStored == true)
    #expect(signIn.storage.kept != second)
  }

  /// Its answer to an old token is 400 and nothing else.
  @Test func `an old refresh token leads to the login`() async throws {
    let signIn = try glewlwyd()
    let service = signIn.service
    let user = try await service.login(credentials: .browser).user
    let first = try #require(signIn.storage.kept)
    _ = try await service.refreshAuth()
    let thief = try signIn.service(holding: first, user: user.id)
    let stolen = try await failure { _ = try await thief.login(credentials: .stored) }
    let own = try await failure { _ = try await service.refreshAuth() }
    // Whatever it is called, neither token is taken.
    #expect(stolen != nil && own != nil)
    #expect(stolen == .loginRequired(.refusedByServer) && own == .loginRequired(.refusedByServer))
    #expect(try await failure { _ = try await service.refreshAuth() } == own)
    #expect(signIn.storage.tokens.isEmpty && !service.isAuthenticated)
  }

  @Test func `a public client cannot revoke, which is told`() async throws {
    let signIn = try glewlwyd()
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    #expect(try await failure { try await service.logout() } == .notRevoked(host: OAuth2SignIn.host))
    #expect(service.state == .signedOut && signIn.storage.kept == nil)
  }

  @Test func `a client with a secret revokes when it signs out`() async throws {
    var signIn = try glewlwyd("confidential")
    signIn.client.authentication = .secretBasic(try glewlwyd.secret)
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    let token = try #require(signIn.storage.kept)
    #expect(try await isActive(token, signIn) == true)
    try await service.logout()
    #expect(service.state == .signedOut && signIn.storage.tokens.isEmpty)
    #expect(try await isActive(token, signIn) == false)
  }

  /// What it says of a token itself (RFC 7662).
  private func isActive(_ token: String, _ signIn: OAuth2SignIn) async throws -> Bool? {
    let provider = Provider(issuer: glewlwyd.issuer, client: providers.network, time: SystemTime())
    let endpoint = TokenEndpoint(provider: provider, client: signIn.client, proofs: nil, time: SystemTime())
    let introspection = try glewlwyd.endpoint("introspect")
    let answer = try await endpoint.post([("token", token)], to: introspection, try await provider.metadata())
    return try answer.object(from: introspection)["active"]?.bool
  }

  @Test func `a code that is used twice ends the tokens that it gave`() async throws {
    let interceptor = Interceptor(providers.network)
    let service = try glewlwyd().with { $0.network = interceptor }.service
    _ = try await service.login(credentials: .browser)
    let token = try await service.accessToken()
    #expect(try await providers.get(glewlwyd.endpoint("userinfo"), bearer: token).status == 200)
    let again = try await providers.network.send(try #require(interceptor.requests(with: "code").first))
    #expect(again.status == 403 && TokenResponse.errorCode(again) == "invalid_code")
    #expect(try await providers.get(glewlwyd.endpoint("userinfo"), bearer: token).status == 401)
  }

  @Test func `a code is worth nothing with another verifier`() async throws {
    let interceptor = Interceptor(providers.network) { form in
      if form["code"] != nil { form["code_verifier"] = String(repeating: "x", count: 43) }
    }
    let signIn = try glewlwyd().with { $0.network = interceptor }
    #expect(try await signIn.failure() == .oauth2(host: OAuth2SignIn.host, .code("invalid_code")))
    #expect(signIn.storage.tokens.isEmpty)
  }
}
