import SignetAuthTestKit
import SignetJWT
import SignetTestKit

@testable import SignetAuth
@testable import SignetTokenServices

/// An application that signs in at a provider.
struct OAuth2SignIn {
  static let host = "localhost"

  let providers: Providers
  var client: OAuth2Client
  var storage = MemoryTokenStorage()
  var network: any NetworkClient
  var time: any TimeSource = SystemTime()
  var browser: any BrowserOpener
  var showDevicePrompt: (@Sendable (DevicePrompt) async -> Void)?
  var clock: any Clock<Duration> = ContinuousClock()

  init(_ providers: Providers, issuer: String, clientID: String) throws {
    self.providers = providers
    client = OAuth2Client(issuer: issuer, clientID: clientID, resources: [try Endpoint(issuer).origin])
    network = providers.network
    browser = Person(rig: providers.rig)
  }

  /// The same with a change.
  func with(_ change: (inout OAuth2SignIn) throws -> Void) rethrows -> OAuth2SignIn {
    var copy = self
    try change(&copy)
    return copy
  }

  var service: OAuth2AuthService {
    let interaction = OAuth2AuthService.Interaction(
      browser: browser, showDevicePrompt: showDevicePrompt, signInTimeout: .seconds(300), clock: clock)
    return OAuth2AuthService(
      client: client, account: "a", storage: storage, network: network, interaction: interaction, time: time)
  }

  /// A service of another process, which has this refresh token.
  func service(holding token: String, user: String) throws -> OAuth2AuthService {
    try with { $0.storage = try .holding(token, user: user, for: client.issuer) }.service
  }

  /// What a sign-in in the browser fails with.
  func failure(_ credentials: AuthCredentials = .browser) async throws -> AuthError? {
    try await ProviderTests.failure { _ = try await service.login(credentials: credentials) }
  }
}
