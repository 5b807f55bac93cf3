import SignetAuthTestKit
import SignetJWT
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// A provider that is right in all but one thing, by the authorization code flow.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct LyingProviderTests {
  private static let expired = "a token that has expired already"

  static let rows: [Row] = [
    Row("none"), Row("wide-scope"), Row("no-refresh-token"), Row("skewed"), Row("other-subject"), Row("userinfo-subject"),
    .oauth2("mix-up", .issuerMismatch), .token("foreign-endpoint", .unexpectedClaim("iss")),
    .invalid("plain-endpoint", "its token_endpoint is no URL that can be used"),
    .oauth2("denied", .code("access_denied")), .oauth2("response-issuer", .issuerMismatch),
    .oauth2("no-response-issuer", .issuerMismatch), .invalid("no-code", "no code"),
    .oauth2("invalid_grant", .code("invalid_grant")), .oauth2("invalid_client", .code("invalid_client")),
    .oauth2("invalid_token", .code("invalid_token")), .oauth2("token-type", .unsupported("bearer tokens")),
    .invalid("negative-lifetime", expired), .invalid("endless-lifetime", expired), .invalid("lifetime-text", expired),
    .invalid("no-id-token", "no ID token"), .invalid("no-access-token", "no access token"),
    .token("wrong-audience", .unexpectedClaim("aud")), .token("many-audiences", .missingClaim("azp")),
    .token("wrong-party", .unexpectedClaim("azp")), .token("wrong-issuer", .unexpectedClaim("iss")),
    .token("wrong-nonce", .unexpectedClaim("nonce")), .token("no-nonce", .unexpectedClaim("nonce")),
    .token("wrong-hash", .unexpectedClaim("at_hash")), .token("expired", .expired), .token("future", .notYetValid),
    .token("no-subject", .missingClaim("sub")), .token("no-expiry", .missingClaim("exp")),
    .token("exp-text", .invalidMember("exp")),
    .token("alg-none", .unexpectedAlgorithm("none")), .token("hs256", .unexpectedAlgorithm("HS256")),
    .token("wrong-key", .invalidSignature), .token("unknown-key", .unknownKey("foreign")),
    .token("embedded-key", .invalidSignature), .token("wrong-type", .unexpectedType("at+jwt")),
    .token("critical", .unknownCriticalHeader), .token("tampered", .invalidSignature),
    .token("no-keys", .unknownKey("signing")), .token("wrong-keys", .unknownKey("signing")),
    .token("rotated-keys", .unknownKey("signing")),
  ]

  @Test(arguments: rows) func `what a provider says wrong is no sign-in`(row: Row) async throws {
    let provider = try HostileSignIn(Providers.shared, row.name, label: "code")
    let (error, visits, storage) = try await provider.outcome()
    #expect(error == row.error)
    #expect(storage.tokens.isEmpty == (row.error != nil || row.name == "no-refresh-token"))
    // Who lies before the browser is asked never sees it.
    #expect(visits == (["mix-up", "plain-endpoint"].contains(row.name) ? [] : [302, 200]))
  }

  @Test(arguments: ["wrong-state", "no-state"])
  func `an answer to another request is refused, and the right one waited for`(name: String) async throws {
    let provider = try HostileSignIn(Providers.shared, name, label: "state")
    let (error, visits, storage) = try await provider.outcome()
    #expect(error == .oauth2(host: HostileSignIn.host, .timedOut))
    #expect(visits == [302, 400] && storage.tokens.isEmpty)
    #expect(try await provider.count("POST", "token") == 0)
  }

  @Test(arguments: ["denied", "response-issuer", "no-response-issuer", "no-code"])
  func `no code and no verifier go to who answered wrong`(name: String) async throws {
    let provider = try HostileSignIn(Providers.shared, name, label: "silence")
    #expect(try await provider.outcome().error != nil)
    #expect(try await provider.count("GET", "authorize") == 1)
    #expect(try await provider.count("POST", "token") == 0)
  }

  @Test func `a provider that is to say nothing of itself is asked nothing more`() async throws {
    let provider = try HostileSignIn(Providers.shared, "mix-up", label: "once")
    #expect(try await provider.outcome().error == .oauth2(host: HostileSignIn.host, .issuerMismatch))
    #expect(try await provider.count("GET", ".well-known/openid-configuration") == 1)
    #expect(try await provider.count("GET", "jwks") == 0)
  }

  /// Keys are fetched anew for an unknown one, but not at once: anybody can make such a token.
  @Test func `keys that a provider changed are fetched half a minute later`() async throws {
    let providers = try Providers.shared
    let time = WrongTime()
    let patience = Patience()
    let issuer = try HostileSignIn(providers, "rotated-keys", label: "later").issuer
    var signIn = try OAuth2SignIn(providers, issuer: issuer, clientID: "app")
    signIn.browser = RedirectFollower(providers.network, patience)
    signIn.clock = patience
    signIn.time = time
    let service = signIn.service
    let error = try await failure { _ = try await service.login(credentials: .browser) }
    #expect(error == .token(host: HostileSignIn.host, .unknownKey("signing")))
    time.advance(by: Provider.keyInterval)
    #expect(try await service.login(credentials: .browser).user.id == "somebody")
  }
}
