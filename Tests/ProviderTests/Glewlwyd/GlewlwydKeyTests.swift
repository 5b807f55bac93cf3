import SignetAuthTestKit
import SignetJWT
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// Clients of glewlwyd that prove themselves by a key (RFC 7523), and that register themselves (RFC 7591).
@Suite(.enabled(if: Providers.hasGlewlwyd, Providers.reasonToSkipGlewlwyd), .timeLimit(.minutes(10)))
struct GlewlwydKeyTests {
  private let providers: Providers
  private let glewlwyd: GlewlwydSignIn

  init() throws {
    providers = try Providers.shared
    glewlwyd = try GlewlwydSignIn(providers)
  }

  @Test func `a client proves itself by its key, when it signs in, refreshes and signs out`() async throws {
    var signIn = try glewlwyd("device")
    signIn.client.authentication = .privateKey(try glewlwyd.deviceKey)
    // As OpenID Connect Core has it (9).
    signIn.client.assertionAudience = .endpoint
    let service = signIn.service
    _ = try await service.login(credentials: .browser)
    let first = try #require(signIn.storage.kept)
    #expect(try await service.refreshAuth()?.isStored == true)
    #expect(signIn.storage.kept != first)
    try await service.logout()
    #expect(signIn.storage.tokens.isEmpty)
  }

  @Test func `a client with another key of the same name is refused`() async throws {
    var signIn = try glewlwyd("device")
    signIn.client.authentication = .privateKey(SigningKey(keyID: try glewlwyd.deviceKey.publicKey.keyID))
    // It has no word for it.
    #expect(try await signIn.failure() == .server(host: OAuth2SignIn.host, status: 403))
    #expect(signIn.storage.tokens.isEmpty)
  }

  @Test(arguments: [true, false]) func `a program registers itself, and ends its registration`(hasKey: Bool) async throws {
    let registration = try await ClientRegistration.register(
      "laptop", at: glewlwyd.issuer, key: hasKey ? SigningKey() : nil, client: providers.network)
    let stored = try ClientRegistration(registration.text)
    #expect(stored.clientID == registration.clientID && stored.management != nil)
    try await stored.end(client: providers.network)
    let (endpoint, token) = try #require(stored.management)
    #expect(try await [401, 403, 404].contains(providers.get(endpoint, bearer: token).status))
  }
}
