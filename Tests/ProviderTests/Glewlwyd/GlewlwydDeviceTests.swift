import SignetAuthTestKit
import SignetTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// glewlwyd, by another device.
@Suite(.enabled(if: Providers.hasGlewlwyd, Providers.reasonToSkipGlewlwyd), .timeLimit(.minutes(10)))
struct GlewlwydDeviceTests {
  private let providers: Providers
  private let glewlwyd: GlewlwydSignIn
  private let clock = ImpatientClock()

  init() throws {
    providers = try Providers.shared
    glewlwyd = try GlewlwydSignIn(providers)
  }

  @Test func `a device signs in where its owner approves`() async throws {
    var signIn = try glewlwyd.device()
    signIn.clock = clock
    signIn.showDevicePrompt = { [providers] prompt in
      do { try await Person(rig: providers.rig).approve(prompt) } catch { Issue.record(error) }
    }
    let service = signIn.service
    let result = try await service.login(credentials: .device)
    #expect(!result.user.id.isEmpty && result.isStored && clock.waits == [.seconds(1)])
    #expect(try await service.send(NetworkRequest(glewlwyd.endpoint("userinfo"))).status == 200)
    #expect(try await service.refreshAuth()?.user.id == result.user.id)
  }

  /// It wants to be asked once a second; asked at once it says so, and the interval grows.
  @Test func `a device that asks too often is told to slow down, and does`() async throws {
    let time = WrongTime()
    var signIn = try glewlwyd.device()
    signIn.time = time
    signIn.clock = HurryingClock(time)
    signIn.showDevicePrompt = { _ in }
    let interceptor = Interceptor(providers.network)
    signIn.network = interceptor
    #expect(try await signIn.failure(.device) == .oauth2(host: OAuth2SignIn.host, .timedOut))
    // The code lives for 300 seconds: without a longer interval there would be as many questions.
    #expect((2...60).contains(interceptor.requests(with: "device_code").count))
    #expect(signIn.storage.tokens.isEmpty)
  }
}
