import SignetAuthTestKit
import SignetJWT
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// Tokens of glewlwyd's that are bound to a key (RFC 9449).
@Suite(.enabled(if: Providers.hasGlewlwyd, Providers.reasonToSkipGlewlwyd), .timeLimit(.minutes(10)))
struct GlewlwydProofTests {
  private let providers: Providers
  private let key = SigningKey()

  init() throws { providers = try Providers.shared }

  private func confirmation(_ token: String) throws -> String? {
    try CompactJWS(token).unverifiedClaims().members["cnf"]?.object?["jkt"]?.string
  }

  @Test(arguments: ["issuer", "nonceIssuer"])
  func `tokens are bound to a key, and of use with its proofs`(issuer: String) async throws {
    let glewlwyd = try GlewlwydSignIn(providers, issuer: issuer)
    let service = try glewlwyd(issuer == "issuer" ? "bound" : "native", proofKey: key).service
    _ = try await service.login(credentials: .browser)
    let token = try await service.accessToken()
    #expect(try confirmation(token) == key.publicKey.thumbprint)
    let userinfo = try glewlwyd.endpoint("userinfo")
    for _ in 1...2 { #expect(try await service.send(NetworkRequest(userinfo)).status == 200) }
    #expect(try await providers.get(userinfo, bearer: token).status == 401)
    _ = try await service.refreshAuth()
    #expect(try confirmation(try await service.accessToken()) == key.publicKey.thumbprint)
    #expect(try await service.send(NetworkRequest(userinfo)).status == 200)
  }

  @Test func `a bound client gets nothing without a proof`() async throws {
    let signIn = try GlewlwydSignIn(providers)("bound")
    let error = try await signIn.failure()
    #expect(error == .oauth2(host: OAuth2SignIn.host, .code("invalid_dpop_proof")), "\(error)")
    #expect(signIn.storage.tokens.isEmpty)
  }

  @Test func `a stolen refresh token is worth nothing with another key, and its owner goes on`() async throws {
    let signIn = try GlewlwydSignIn(providers)(proofKey: key)
    let service = signIn.service
    let user = try await service.login(credentials: .browser).user
    let token = try #require(signIn.storage.kept)
    for other in [SigningKey(), nil] {
      let thief = try signIn.with { $0.client.proofKey = other }.service(holding: token, user: user.id)
      let error = try await failure { _ = try await thief.login(credentials: .stored) }
      #expect(error == .oauth2(host: OAuth2SignIn.host, .code("invalid_dpop_proof")))
    }
    #expect(try await service.refreshAuth()?.user.id == user.id)
  }

  @Test func `a proof that is an hour old is refused`() async throws {
    let signIn = try GlewlwydSignIn(providers)(proofKey: key).with { $0.time = WrongTime(by: -3600) }
    let error = try await signIn.failure()
    #expect(error == .oauth2(host: OAuth2SignIn.host, .code("invalid_dpop_proof")), "\(error)")
    #expect(signIn.storage.tokens.isEmpty)
  }

  @Test func `a clock that is five seconds ahead is forgiven`() async throws {
    let signIn = try GlewlwydSignIn(providers)(proofKey: key).with { $0.time = WrongTime(by: 5) }
    #expect(try await signIn.failure() == nil)
  }
}
