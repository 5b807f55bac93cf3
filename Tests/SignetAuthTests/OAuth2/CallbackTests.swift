import AuthTutorial
import SignetAuthTestKit
import Synchronization
import Testing

@testable import SignetTokenServices

/// A provider's answer that the application receives by itself.
@Suite struct CallbackTests {
  private let time = ManualTime()
  private let provider: FakeProvider

  init() { provider = FakeProvider(time: time) }

  /// Goes to the provider, and leaves the answer to the application.
  private final class LeavingBrowser: BrowserOpener {
    /// Passed by whoever opens it.
    let asked = Gate()
    let fields = Mutex<[String: String]>([:])
    private let browser: FakeBrowser

    init(_ provider: FakeProvider) throws { browser = try FakeBrowser(provider) }

    func open(_ url: String) async throws {
      let (fields, _) = try await browser.start(url)
      self.fields.withLock { $0 = fields }
      asked.open()
      await asked.pass()
    }
  }

  private func service(_ browser: any BrowserOpener) -> OAuth2AuthService {
    OAuth2AuthService(
      client: OAuth2Client(issuer: FakeProvider.issuer, clientID: "app"), account: "a", storage: MemoryTokenStorage(),
      network: provider, interaction: .init(browser: browser), time: time, jitter: { 0 })
  }

  @Test func `no other state passes for the one that was sent`() {
    for number in 0..<2_000 { #expect(!AuthorizationRequest.isSame("\(number)", "sent")) }
    #expect(AuthorizationRequest.isSame("sent", "sent"))
  }

  @Test func `a code ends the login that waits for it`() async throws {
    let browser = try LeavingBrowser(provider)
    let service = service(browser)
    async let login = service.login(credentials: .browser)
    await browser.asked.arrivals(1)
    let code = provider.authorize(browser.fields.withLock { $0 })
    let result = try await finish(service, code: code)
    #expect(result.user.id == "alice" && result.isStored)
    let waited = try await login
    #expect(waited == result)
    let host = service.host
    await #expect(throws: AuthError.oauth2(host: host, .stateMismatch)) { try await finish(service, code: code) }
  }

  @Test func `the code of another sign-in is refused`() async throws {
    let browser = try LeavingBrowser(provider)
    let service = service(browser)
    async let login = service.login(credentials: .browser)
    await browser.asked.arrivals(1)
    // The attacker's own request had another challenge.
    let redirect = browser.fields.withLock { $0["redirect_uri"] ?? "" }
    let code = provider.authorize(["code_challenge": "other", "redirect_uri": redirect])
    await #expect(throws: AuthError.self) { try await finish(service, code: code) }
    do {
      _ = try await login
      Issue.record("signed in")
    } catch {}
    #expect(!service.isAuthenticated)
  }

  @Test func `a whole URL is taken for its own request alone`() async throws {
    let browser = try LeavingBrowser(provider)
    let service = service(browser)
    async let login = service.login(credentials: .browser)
    await browser.asked.arrivals(1)
    let fields = browser.fields.withLock { $0 }
    let code = provider.authorize(fields)
    let host = service.host
    for state in ["", "&state=other"] {
      await #expect(throws: AuthError.oauth2(host: host, .stateMismatch)) {
        try await service.handleOAuth2Callback(url: "app:/callback?code=\(code)\(state)")
      }
    }
    let state = try #require(fields["state"])
    let result = try await service.handleOAuth2Callback(
      url: "app:/callback?code=\(code)&state=\(state)&iss=https%3A%2F%2Fid.example%2Fo#")
    #expect(result.user.id == "alice")
    _ = try await login
  }
}
