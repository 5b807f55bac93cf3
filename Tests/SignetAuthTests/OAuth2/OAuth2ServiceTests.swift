import SignetAuthTestKit
import SignetJWT
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct OAuth2ServiceTests {
  private let time = ManualTime()
  private let storage = MemoryTokenStorage()
  private let clock = ImpatientClock()
  private let prompts = Prompts()
  private let provider: FakeProvider

  init() { provider = FakeProvider(time: time) }

  private final class Prompts: Sendable {
    let all = Mutex<[DevicePrompt]>([])
  }

  /// Signs in on another device, which needs no browser here.
  private func service(_ change: (inout OAuth2Client) -> Void = { _ in }) throws -> OAuth2AuthService {
    var client = OAuth2Client(
      issuer: FakeProvider.issuer, clientID: "app", resources: [try Endpoint("https://id.example/").origin])
    change(&client)
    let interaction = OAuth2AuthService.Interaction(
      showDevicePrompt: { [prompts] prompt in prompts.all.withLock { $0.append(prompt) } }, clock: clock)
    return OAuth2AuthService(
      client: client, account: "a", storage: storage, network: provider, interaction: interaction, time: time, jitter: { 0 })
  }

  @Test func `a device is waited for as the provider says`() async throws {
    provider.change {
      $0.errors = [(400, "authorization_pending"), (400, "slow_down"), (400, "authorization_pending"), (503, "")]
    }
    let result = try await service().login(credentials: .device)
    #expect(result.user.id == "alice")
    #expect(clock.waits == [.seconds(5), .seconds(5), .seconds(10), .seconds(10), .seconds(20)])
    #expect(
      prompts.all.withLock { $0 } == [
        DevicePrompt(userCode: "ABCD-EFGH", page: "https://id.example/o/activate", pageWithCode: nil, lifetime: 600)
      ])
  }

  @Test(
    arguments: [
      ("access_denied", OAuth2Error.code("access_denied")), ("expired_token", .timedOut), ("<script>", .code("unknown_error")),
    ])
  func `a device that does not sign in ends the waiting`(code: String, error: OAuth2Error) async throws {
    provider.change { $0.errors = [(400, code)] }
    await #expect(throws: AuthError.oauth2(host: "id.example", error)) { try await service().login(credentials: .device) }
    #expect(storage.tokens.isEmpty)
  }

  @Test(
    arguments: [
      (
        #"{"error":"invalid_client","error_description":"Unknown client."}"#,
        "the provider answered invalid_client (Unknown client)."
      ),
      (#"{"error":"invalid_client"}"#, "the provider answered invalid_client."),
      (#"{"error":"a","error_description":"\u001b[2Jx\n\u202e"}"#, "the provider answered a (?[2Jx??)."),
      (#"{"error":"a","error_description":"  ..  "}"#, "the provider answered a."),
    ])
  func `the provider's own words are shown where they are harmless`(answer: String, words: String) async throws {
    provider.change { $0.answers["/o/token"] = NetworkResponse(status: 400, body: Array(answer.utf8)) }
    await #expect {
      try await service().login(credentials: .device)
    } throws: { "\($0)".hasSuffix(words) }
    #expect(OAuth2Code("a", explanation: String(repeating: "x", count: 1000)).text.utf8.count == 204)
  }

  @Test func `a code that expired is not asked about any more`() async throws {
    provider.change { $0.errors = Array(repeating: (400, "authorization_pending"), count: 1000) }
    let client = OAuth2Client(issuer: FakeProvider.issuer, clientID: "app")
    let endpoint = TokenEndpoint(
      provider: Provider(issuer: client.issuer, client: provider, time: time), client: client, proofs: nil, time: time)
    let grant = DeviceGrant(
      client: client, endpoint: endpoint, show: { [time] _ in time.advance(by: 600) }, clock: clock, time: time)
    await #expect(throws: AuthError.oauth2(host: "id.example", .timedOut)) { try await grant.run() }
    #expect(provider.forms("/o/token").isEmpty)
  }

  @Test func `an ID token is renewed with the rest`() async throws {
    let service = try service()
    _ = try await service.login(credentials: .device)
    let first = try await service.idToken()
    #expect(try CompactJWS(first.text).unverifiedClaims().subject == "alice" && first.expiration == time.now + 300)
    #expect(try await service.idToken() == first)
    time.advance(by: 296)
    #expect(try await service.idToken().expiration == time.now + 300)
    #expect(provider.forms("/o/token").count == 2)
  }

  @Test func `an ID token that a refresh does not bring is good until it expires, and not asked for after`() async throws {
    let end = Int(time.now) + 1000
    provider.change { $0.idClaims["exp"] = .integer(end) }
    let service = try service()
    _ = try await service.login(credentials: .device)
    let token = try await service.idToken()
    provider.change { $0.tokenFields["id_token"] = .null }
    _ = try await service.refreshAuth()
    #expect(try await service.idToken() == token)
    time.advance(by: 1000)
    for _ in 1...2 {
      await #expect(throws: AuthError.oauth2(host: "id.example", .unsupported("an ID token without a new sign-in"))) {
        try await service.idToken()
      }
    }
    #expect(provider.forms("/o/token").count == 3)
  }

  @Test func `metadata of another issuer is refused`() async throws {
    provider.change { $0.issuer = "https://id.example/o/" }
    await #expect(throws: AuthError.oauth2(host: "id.example", .issuerMismatch)) {
      try await service().login(credentials: .device)
    }
    #expect(provider.requests.count == 1)
  }

  @Test(arguments: ["http://127.0.0.1/token", "http://id.example/token", "token", "javascript:x"])
  func `an endpoint without TLS is refused`(url: String) async throws {
    provider.change { $0.metadata["token_endpoint"] = .string(url) }
    await #expect {
      try await service().login(credentials: .device)
    } throws: { error in
      if case AuthError.invalidResponse = error { true } else { false }
    }
  }

  @Test func `metadata is looked for in both places, and fetched once`() async throws {
    #expect(
      try ProviderMetadata.locations(of: "https://a.example/b/").map(\.description) == [
        "https://a.example/b/.well-known/openid-configuration", "https://a.example/.well-known/oauth-authorization-server/b",
      ])
    #expect(try ProviderMetadata.locations(of: "https://a.example").last?.path == "/.well-known/oauth-authorization-server")
    let service = try service()
    _ = try await service.login(credentials: .device)
    _ = try await service.refreshAuth()
    #expect(provider.requests.filter { $0.endpoint.path.contains("well-known") }.count == 1)
    #expect(provider.requests.filter { $0.endpoint.path == "/o/keys" }.count == 1)
  }

  @Test(
    arguments: [
      ("/o/.well-known/openid-configuration", "garbage"), ("/o/.well-known/openid-configuration", "[]"), ("/o/device", "{}"),
      ("/o/device", #"{"device_code":"d","user_code":"\u001b[2J","verification_uri":"https://a.example/","expires_in":1}"#),
      ("/o/device", #"{"device_code":"d","user_code":"A","verification_uri":"javascript:x","expires_in":1}"#),
      ("/o/device", #"{"device_code":"d","user_code":"A","verification_uri":"https://a.example/","expires_in":0}"#),
      ("/o/token", "garbage"), ("/o/token", #"{"access_token":"a","access_token":"b","token_type":"bearer"}"#),
    ])
  func `garbage at any endpoint is an error and no sign-in`(path: String, text: String) async throws {
    provider.change { $0.answers[path] = NetworkResponse(status: 200, body: Array(text.utf8)) }
    await #expect {
      try await service().login(credentials: .device)
    } throws: { error in
      if case AuthError.invalidResponse = error { true } else { false }
    }
    #expect(storage.tokens.isEmpty)
  }

  @Test func `keys that are none are an error and no sign-in`() async throws {
    provider.change { $0.answers["/o/keys"] = NetworkResponse(status: 200, body: Array("<html>".utf8)) }
    await #expect(throws: AuthError.token(host: "id.example", .notJSON(.malformed(offset: 0)))) {
      try await service().login(credentials: .device)
    }
    #expect(storage.tokens.isEmpty)
  }

  @Test func `an ID token by a key that the provider does not have is refused`() async throws {
    provider.change { [key = provider.key] in
      $0.idKey = SigningKey(keyID: "one")
      $0.answers["/o/keys"] = NetworkResponse(status: 200, body: JSONWebKeySet([key.publicKey]).encoded)
    }
    await #expect(throws: AuthError.token(host: "id.example", .invalidSignature)) {
      try await service().login(credentials: .device)
    }
  }

  @Test func `a logout says where the provider cannot revoke`() async throws {
    provider.change { $0.metadata["revocation_endpoint"] = .null }
    let service = try service()
    _ = try await service.login(credentials: .device)
    await #expect(throws: AuthError.notRevoked(host: "id.example")) { try await service.logout() }
    #expect(storage.tokens.isEmpty && !service.isAuthenticated)
    let listed = try self.service { $0.unlisted.revocation = try? Endpoint("https://id.example/o/revoke") }
    _ = try await listed.login(credentials: .device)
    try await listed.logout()
    #expect(provider.current == nil)
  }

  @Test func `new keys of the provider are fetched, and not for each token`() async throws {
    let service = try service()
    _ = try await service.login(credentials: .device)
    provider.change { $0.idKey = SigningKey(keyID: "two") }
    await #expect(throws: AuthError.token(host: "id.example", .unknownKey("two"))) { try await service.refreshAuth() }
    time.advance(by: Provider.keyInterval)
    #expect(try await self.service().login(credentials: .device).user.id == "alice")
    #expect(try await service.login(credentials: .device).user.id == "alice")
  }

  @Test func `a refresh rotates, and a token that was used leads to the login`() async throws {
    let service = try service()
    _ = try await service.login(credentials: .device)
    let first = try #require(provider.current)
    #expect(try await service.refreshAuth()?.isStored == true)
    #expect(provider.forms("/o/token").last?["refresh_token"] == first && provider.current != first)
    // By the newest token and the one before; what was refused once may be taken yet.
    for round in 1...2 {
      provider.change { $0.errors = [(400, "invalid_grant"), (400, "invalid_grant")] }
      await #expect(throws: AuthError.loginRequired(.refusedByServer)) { try await service.refreshAuth() }
      #expect(storage.tokens.isEmpty == (round == 2) && service.state == .loginRequired(.refusedByServer))
    }
  }

  @Test func `a provider that is down does not sign out`() async throws {
    let service = try service()
    _ = try await service.login(credentials: .device)
    provider.change { $0.isDown = true }
    await #expect(throws: AuthError.network(.timedOut(host: "id.example"))) { try await service.refreshAuth() }
    #expect(service.isAuthenticated && storage.tokens.count == 1)
  }

  @Test func `tokens of another user are refused at a refresh`() async throws {
    let service = try service()
    _ = try await service.login(credentials: .device)
    provider.change { $0.idClaims["sub"] = "mallory" }
    await #expect(throws: AuthError.invalidResponse(host: FakeProvider.issuer, what: "tokens of another user")) {
      try await service.refreshAuth()
    }
    #expect(!service.isAuthenticated && storage.tokens.isEmpty)
  }

  @Test func `a logout revokes the refresh token`() async throws {
    let service = try service()
    _ = try await service.login(credentials: .device)
    try await service.logout()
    #expect(provider.current == nil && storage.tokens.isEmpty)
    #expect(provider.forms("/o/revoke").last?["token_type_hint"] == "refresh_token")
  }

  @Test func `a client says who it is in each way`() async throws {
    let secret = try #require(Password("s:ö"))
    _ = try await service().login(credentials: .device)
    #expect(provider.forms("/o/token").last?["client_id"] == "app")
    _ = try await service { $0.authentication = .secretPost(secret) }.login(credentials: .device)
    #expect(provider.forms("/o/token").last?["client_secret"] == "s:ö")
    _ = try await service { $0.authentication = .secretBasic(secret) }.login(credentials: .device)
    #expect(provider.requests.last { $0.endpoint.path == "/o/token" }?.headers["Authorization"] == "Basic YXBwOnMlM0ElQzMlQjY=")
    #expect(provider.forms("/o/token").last?["client_secret"] == nil)
  }

  @Test func `a client's key signs for the issuer alone, and each time anew`() async throws {
    let key = SigningKey()
    _ = try await service { $0.authentication = .privateKey(key) }.login(credentials: .device)
    let forms = provider.forms("/o/device") + provider.forms("/o/token")
    let claims = try forms.map { try CompactJWS($0["client_assertion"] ?? "").unverifiedClaims() }
    #expect(claims.count == 2 && claims[0].tokenID != claims[1].tokenID)
    for claim in claims { #expect(claim.audience == [FakeProvider.issuer] && claim.issuer == "app" && claim.subject == "app") }
    #expect(forms[0]["client_assertion_type"] == ClientAssertion.type)
  }

  @Test func `a bound token goes with a proof, with the nonce that the server wants`() async throws {
    let key = SigningKey()
    provider.change { $0.wantsNonce = "n1" }
    let service = try service { $0.proofKey = key }
    _ = try await service.login(credentials: .device)
    #expect(provider.forms("/o/token").count == 2)
    _ = try await service.send(NetworkRequest(try Endpoint("https://id.example/api?x=1")))
    let request = try #require(provider.requests.last)
    let token = try await service.accessToken()
    #expect(request.headers["Authorization"] == "DPoP " + token)
    let check = DPoPVerification(
      method: "GET", target: "https://id.example/api", nonce: "n1", accessToken: token, thumbprint: key.publicKey.thumbprint)
    _ = try check.verify(try #require(request.headers["DPoP"]), at: TokenClock(now: time.now))
    #expect(
      try OAuth2ServiceTests.jti(provider.requests[provider.requests.count - 2]) != OAuth2ServiceTests.jti(request))
  }

  private static func jti(_ request: NetworkRequest) throws -> String? {
    try request.headers["DPoP"].map { try CompactJWS($0).unverifiedClaims().tokenID ?? "" }
  }

  @Test func `a provider that does not bind tokens is refused where they have to be bound`() async throws {
    provider.change { $0.tokenFields["token_type"] = "Bearer" }
    await #expect(throws: AuthError.oauth2(host: "id.example", .unsupported("tokens bound to a key"))) {
      try await service { $0.proofKey = SigningKey() }.login(credentials: .device)
    }
    #expect(storage.tokens.isEmpty)
  }

  @Test func `a server that always wants another nonce is asked twice`() async throws {
    provider.change {
      $0.wantsNonce = "n"
      $0.errors = Array(repeating: (400, "use_dpop_nonce"), count: 10)
    }
    await #expect(throws: AuthError.oauth2(host: "id.example", .code("use_dpop_nonce"))) {
      try await service { $0.proofKey = SigningKey() }.login(credentials: .device)
    }
    #expect(provider.forms("/o/token").count == 2)
  }

  @Test func `a client registers with its key, and ends the registration`() async throws {
    let key = SigningKey(keyID: "device")
    let made = try await ClientRegistration.register(
      "Files", at: FakeProvider.issuer, key: key, isBound: true, client: provider, time: time)
    let object = try JSONReader.object(try #require(provider.requests.last).body, limit: 10_000)
    #expect(object["token_endpoint_auth_method"] == "private_key_jwt" && object["dpop_bound_access_tokens"] == true)
    #expect(object["jwks"]?.object?["keys"]?.array?.first?.object?["kid"] == "device")
    #expect(object["redirect_uris"] == ["http://127.0.0.1/callback"])
    let again = try ClientRegistration(made.text)
    #expect(again.clientID == "registered" && again.text == made.text)
    try await again.end(client: provider)
    let request = try #require(provider.requests.last)
    #expect(request.method == .delete && request.headers["Authorization"] == "Bearer rat")
  }

  @Test func `a provider that does not register says so`() async throws {
    provider.change { $0.metadata["registration_endpoint"] = .null }
    await #expect(throws: AuthError.oauth2(host: "id.example", .unsupported("registration"))) {
      try await ClientRegistration.register("Files", at: FakeProvider.issuer, client: provider, time: time)
    }
  }

  @Test(
    arguments: [
      #"{}"#, #"{"access_token":"a"}"#, #"{"access_token":"a b","token_type":"bearer"}"#,
      #"{"access_token":1,"token_type":"bearer"}"#,
      #"{"access_token":"a","token_type":"bearer","expires_in":-1}"#,
      #"{"access_token":"a","token_type":"bearer","expires_in":"x"}"#,
      #"{"access_token":"a","token_type":"bearer","refresh_token":{}}"#, #"{"access_token":"","token_type":"bearer"}"#,
    ])
  func `a token answer that is none is refused`(text: String) throws {
    let object = try JSONReader.object(Array(text.utf8), limit: 1000)
    #expect {
      try TokenResponse(object, host: "h")
    } throws: { error in
      if case AuthError.invalidResponse = error { true } else { false }
    }
  }

  /// RFC 7636, appendix B.
  @Test func `the challenge is RFC 7636's`() {
    #expect(
      PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }
}
