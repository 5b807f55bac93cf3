import SignetAuthTestKit
import SignetTestKit
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// django-oauth-toolkit, by another device. It gives no ID token there, so nobody asks for one.
@Suite(.enabled(if: Providers.areHere, Providers.reasonToSkip), .timeLimit(.minutes(10)))
struct DjangoDeviceTests {
  private let providers: Providers
  private let signIn: OAuth2SignIn
  private let clock = ImpatientClock()

  init() throws {
    providers = try Providers.shared
    var signIn = try DjangoOAuth2Tests.signIn(providers, clientID: "device")
    signIn.client.scopes = ["profile"]
    signIn.client.unlisted.deviceAuthorization = try providers.endpoint("django", "issuer", path: "/device-authorization/")
    signIn.clock = clock
    self.signIn = signIn
  }

  private func answered(by person: Person, _ change: (inout OAuth2SignIn) -> Void = { _ in }) -> OAuth2SignIn {
    var signIn = signIn
    signIn.showDevicePrompt = { prompt in
      do { try await person.approve(prompt) } catch { Issue.record(error) }
    }
    change(&signIn)
    return signIn
  }

  @Test func `a device signs in where its owner approves, and goes on by refreshing`() async throws {
    let device = answered(by: Person(rig: providers.rig))
    let service = device.service
    let result = try await service.login(credentials: .device)
    #expect(result.user == User(id: "a") && result.isStored && clock.waits == [.seconds(1)])
    let first = device.storage.kept
    #expect(try await service.refreshAuth()?.isStored == true)
    #expect(device.storage.kept != nil && device.storage.kept != first)
    try await service.logout()
    #expect(device.storage.tokens.isEmpty)
  }

  @Test func `a device whose owner refuses does not sign in`() async throws {
    let device = answered(by: Person(rig: providers.rig, options: ["--deny"]))
    #expect(try await device.failure(.device) == .oauth2(host: OAuth2SignIn.host, .code("access_denied")))
    #expect(device.storage.tokens.isEmpty)
  }

  @Test func `a device that asked for an ID token takes nothing without one`() async throws {
    let device = answered(by: Person(rig: providers.rig)) { $0.client.scopes = ["openid"] }
    #expect(try await device.failure(.device) == .invalidResponse(host: OAuth2SignIn.host, what: "no ID token"))
    #expect(device.storage.tokens.isEmpty)
  }

  @Test func `a code that nobody types in is given up when it expires`() async throws {
    let time = WrongTime()
    var signIn = signIn
    signIn.time = time
    signIn.showDevicePrompt = { time.advance(by: $0.lifetime) }
    #expect(try await signIn.failure(.device) == .oauth2(host: OAuth2SignIn.host, .timedOut))
    #expect(clock.waits == [.seconds(1)])
  }

  @Test func `without the place for devices there is none, as the metadata say`() async throws {
    let device = answered(by: Person(rig: providers.rig)) { $0.client.unlisted.deviceAuthorization = nil }
    #expect(try await device.failure(.device) == .oauth2(host: OAuth2SignIn.host, .unsupported("sign-in on another device")))
  }
}
