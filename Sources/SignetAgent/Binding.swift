import SignetAgentProtocol
import SignetAuth
import SignetVocabulary
import Synchronization

/// One account at one provider: its record, and the service that has its tokens.
final class Binding: Sendable {
  let record: BindingRecord
  private let service: OAuth2AuthService
  private let relay: PromptRelay

  init(_ record: BindingRecord, storage: BindingStorage, network: any NetworkClient) {
    let relay = PromptRelay()
    self.record = record
    self.relay = relay
    service = OAuth2AuthService(
      client: OAuth2Client(issuer: record.issuer, clientID: record.clientID, scopes: record.scopes), account: record.account,
      storage: storage, network: network,
      interaction: OAuth2AuthService.Interaction(browser: relay) { relay.show($0) })
  }

  /// Goes on with the service that signed in.
  private init(_ binding: Binding, user: String) {
    var record = binding.record
    record.user = user
    self.record = record
    relay = binding.relay
    service = binding.service
  }

  var isSignedIn: Bool { service.isAuthenticated }

  var description: AgentBinding {
    AgentBinding(
      issuer: record.issuer, account: record.account, user: record.user, scopes: record.scopes, bound: record.bound,
      isSignedIn: isSignedIn)
  }

  /// Signs in anew, by the provider's page, which `send` has the asker show. The same binding, with the name of who signed in.
  func signIn(_ way: AgentRequest.SignIn, _ send: @escaping @Sendable (AgentReply) -> Void) async throws -> Binding {
    relay.begin(send)
    defer { relay.end() }
    let result = try await service.login(credentials: way == .browser ? .browser : .device)
    guard result.isStored else { throw AgentFailure(.refused, AgentText.notStored) }
    return Binding(self, user: result.user.name ?? result.user.id)
  }

  /// Has what is stored released.
  func resume() async throws { _ = try await service.login(credentials: .stored) }

  /// An access token that is good for some seconds at least.
  func token() async throws -> AgentToken {
    let token = try await service.accessToken()
    return AgentToken(accessToken: token, expiration: try await service.refreshAuth()?.expiration)
  }

  /// Asks for the next access token where it is time for that.
  func keepFresh() async { if isSignedIn { _ = try? await service.accessToken() } }

  func lock() async { await service.lock() }

  /// Signs out at the provider and here.
  func signOut() async throws { try await service.logout() }

  func revokePending() async -> Int { await service.revokePending() }
}

/// Hands the provider's page or code to whoever waits for it.
private final class PromptRelay: BrowserOpener {
  private let send = Mutex<(@Sendable (AgentReply) -> Void)?>(nil)

  func begin(_ send: @escaping @Sendable (AgentReply) -> Void) { self.send.withLock { $0 = send } }
  func end() { send.withLock { $0 = nil } }

  func open(_ url: String) async throws {
    guard let send = send.withLock({ $0 }) else { throw OAuth2Error.noBrowser }
    send(.open(page: url))
  }

  func show(_ prompt: DevicePrompt) {
    send.withLock { $0 }?(.code(prompt.userCode, page: prompt.page, pageWithCode: prompt.pageWithCode))
  }
}
