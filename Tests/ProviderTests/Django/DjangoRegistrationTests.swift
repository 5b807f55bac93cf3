import SignetAuthTestKit
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// Dynamic registration (RFC 7591, 7592) at django-oauth-toolkit.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct DjangoRegistrationTests {
  @Test func `a program registers itself, signs in, and ends its registration`() async throws {
    let providers = try Providers.shared
    let registration = try await ClientRegistration.register(
      "laptop", at: providers.rig.fact("django", "issuer"), client: providers.network)
    let signIn = try DjangoOAuth2Tests.signIn(providers, clientID: registration.clientID)
    #expect(try await signIn.service.login(credentials: .browser).user.id == "1")
    try await registration.end(client: providers.network)
    #expect(try await signIn.failure() == .oauth2(host: OAuth2SignIn.host, .noBrowser))
  }

  @Test func `a provider whose metadata name no place for it does not register`() async throws {
    let providers = try Providers.shared
    let issuer = try HostileSignIn(providers, "none", label: "no-place").issuer
    let network = WithoutRegistration(client: providers.network)
    let error = try await failure { _ = try await ClientRegistration.register("laptop", at: issuer, client: network) }
    #expect(error == .oauth2(host: OAuth2SignIn.host, .unsupported("registration")))
  }
}

/// Takes the place for registrations out of what a provider says of itself.
private struct WithoutRegistration: NetworkClient {
  let client: any NetworkClient

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    var response = try await client.send(request)
    let text = String(decoding: response.body, as: UTF8.self)
    response.body = Array(text.replacing("registration_endpoint", with: "no_endpoint").utf8)
    return response
  }
}
