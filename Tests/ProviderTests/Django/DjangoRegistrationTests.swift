import SignetAuthTestKit
import SignetTestKit
import Testing

@testable import SignetAuth

/// Dynamic registration (RFC 7591, 7592) at django-oauth-toolkit.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct DjangoRegistrationTests {
  @Test func `a program registers itself, signs in, and ends its registration`() async throws {
    let providers = try Providers.shared
    let unlisted = UnlistedEndpoints(registration: try providers.endpoint("django", "issuer", path: "/register/"))
    // It takes one grant besides refreshing, and two are asked for.
    await withKnownIssue {
      let registration = try await ClientRegistration.register(
        "laptop", at: providers.rig.fact("django", "issuer"), unlisted: unlisted, client: providers.network)
      let signIn = try DjangoOAuth2Tests.signIn(providers, clientID: registration.clientID)
      #expect(try await signIn.service.login(credentials: .browser).user.id == "1")
      try await registration.end(client: providers.network)
      #expect(try await signIn.failure() == .oauth2(host: OAuth2SignIn.host, .noBrowser))
    }
  }

  @Test func `a provider whose metadata name no place for it does not register`() async throws {
    let providers = try Providers.shared
    let issuer = try providers.rig.fact("django", "issuer")
    let error = try await failure {
      _ = try await ClientRegistration.register("laptop", at: issuer, client: providers.network)
    }
    #expect(error == .oauth2(host: OAuth2SignIn.host, .unsupported("registration")))
  }
}
