import SignetAgentProtocol
import SignetTokenServices
import SignetVocabulary
import Synchronization

/// One account at one provider: its record, and the service that has its tokens.
final class Binding: Sendable {
  let record: BindingRecord
  private let service: OAuth2AuthService
  private let storage: BindingStorage
  private let deviceKey: BindingKey?
  private let relay: PromptRelay
  private let pause = Mutex(Pause())

  /// - Parameters:
  ///   - deviceKey: a new one; `nil` for the one of the record.
  ///   - socket: signetd's.
  ///   - state: the folder of the records.
  init(_ record: BindingRecord, deviceKey: BindingKey? = nil, socket: String, state: String, network: any NetworkClient) {
    let relay = PromptRelay()
    let key = deviceKey ?? record.deviceKey.flatMap(BindingKey.init(record:))
    // Its own: whoever waits for this binding is asked for this one alone.
    let storage = BindingStorage(socket: socket, state: state, deviceKey: key)
    self.record = record
    self.storage = storage
    self.relay = relay
    self.deviceKey = key
    service = OAuth2AuthService(
      client: OAuth2Client(
        issuer: record.issuer, clientID: record.clientID, authentication: key.map { .privateKey($0) } ?? .none,
        // As OpenID Connect Core 1.0 has it (9), and as providers are that know nothing newer.
        assertionAudience: .endpoint, scopes: record.scopes, redirectPort: record.redirectPort),
      account: record.account, storage: storage, network: network,
      interaction: OAuth2AuthService.Interaction(
        browser: relay, showDevicePrompt: { relay.show($0) }, confirm: { await relay.isMeant($0) }))
  }

  /// Goes on with the service of another one.
  private init(_ binding: Binding, _ record: BindingRecord) {
    self.record = record
    relay = binding.relay
    storage = binding.storage
    deviceKey = binding.deviceKey
    service = binding.service
  }

  var isSignedIn: Bool { service.isAuthenticated }

  var description: AgentBinding {
    AgentBinding(
      issuer: record.issuer, account: record.account, user: record.user, scopes: record.scopes, bound: record.bound,
      isSignedIn: isSignedIn)
  }

  /// Signs in anew, by the provider's page, which the asker shows. The same binding, with the name of who signed in.
  ///
  /// - Throws: where that is not the account that the owner means, too; then nothing of it is kept.
  func signIn(_ way: AgentRequest.SignIn, _ asker: AgentClient) async throws -> Binding {
    relay.begin(asker)
    defer { relay.end() }
    let result: AuthResult
    do { result = try await service.login(credentials: way == .browser ? .browser : .device) } catch AuthError.cancelled {
      throw AgentFailure(.refused, AgentText.notKept(record.issuer))
    }
    guard result.isStored else {
      try? await service.logout()
      throw AgentFailure(.refused, AgentText.notStored(record.issuer))
    }
    var record = record
    // Whom the provider does not name, the service calls by the owner's own name for the account.
    record.user = OAuth2Client.isOpenID(record.scopes) ? result.user.name ?? result.user.id : ""
    return Binding(self, record)
  }

  /// Has what is stored released.
  func resume() async throws { _ = try await service.login(credentials: .stored) }

  /// The same for what somebody waits for, who can be asked for a finger.
  func whileAsking(_ send: @escaping @Sendable (AgentReply) -> Void, _ body: @Sendable () async throws -> Void) async throws {
    let issuer = record.issuer
    try await storage.whileAsking(
      { prompt in if prompt == .touchReader { send(.say(AgentText.touch(issuer))) } }, body)
  }

  /// A token that is good for some seconds at least.
  func token(_ kind: AgentRequest.TokenKind) async throws -> AgentToken {
    do { return try await released(kind) } catch AuthError.storage(.notInteractive) {
      // Perhaps the answer to a look of the agent's own, which began before the finger that the asker comes from.
      return try await released(kind)
    }
  }

  private func released(_ kind: AgentRequest.TokenKind) async throws -> AgentToken {
    let token =
      switch kind {
      case .access: try await service.timedAccessToken()
      case .id: try await service.idToken()
      }
    return AgentToken(token.text, expiration: token.expiration)
  }

  /// Signs in where a finger that logged in lets it, and asks for the next access token where it is time for that. A provider that
  /// gives none is left alone for longer and longer.
  func tend(at now: Double) async {
    guard pause.withLock({ $0.isOver(at: now) }) else { return }
    do {
      if isSignedIn { _ = try await service.accessToken() } else { try await resume() }
      // What is held is good still, and the next one was not to be had.
      let isBehind = service.nextRefresh.map { $0 <= now } ?? false
      pause.withLock { if isBehind { $0.lengthen(at: now) } else { $0 = Pause() } }
    } catch AuthError.loginRequired {
      pause.withLock { $0 = Pause() }
    } catch AuthError.storage(let error) where error == .notInteractive || error == .locked {
      // Locked: nobody was asked for anything.
      pause.withLock { $0 = Pause() }
    } catch { pause.withLock { $0.lengthen(at: now) } }
  }

  /// When to tend it next, in seconds since 1970; `nil` where something else has to happen first: a finger, or a request.
  var due: Double? {
    let pause = pause.withLock { $0 }
    let next = isSignedIn ? service.nextRefresh : record.isLeaving ? 0 : nil
    guard pause.isSet else { return next }
    return max(next ?? 0, pause.end)
  }

  /// Whether the vault or the provider have nothing any more that signs in, so that it may be bound anew. Whoever waits may be asked
  /// for a finger.
  func isLost(_ send: @escaping @Sendable (AgentReply) -> Void) async throws -> Bool {
    guard !isSignedIn else { return false }
    do {
      try await whileAsking(send) { try await self.resume() }
      return false
    } catch AuthError.loginRequired(.refusedByServer), AuthError.loginRequired(.noCredential),
      AuthError.loginRequired(.fingersChanged), AuthError.storage(.fingersChanged), AuthError.storage(.damaged)
    {
      return true
    }
  }

  /// Waits until no answer of the provider is awaited: what comes is stored then, or handed over.
  func settle() async { await service.settle() }

  func lock() async {
    await service.lock()
    deviceKey?.lock()
  }

  /// Signs out at the provider and here.
  func signOut() async throws { try await service.logout() }

  /// The same binding, of which nothing is left but that the provider has to be told.
  func leaving() -> Binding {
    var record = record
    record.isLeaving = true
    return Binding(self, record)
  }

  /// Tells the provider what it could not be told before; how much is left.
  func revokePending() async -> Int { await service.revokePending() }

  /// The same for one that is leaving, whose provider is not asked each time; whether nothing is left.
  func hasLeft(at now: Double) async -> Bool {
    guard pause.withLock({ $0.isOver(at: now) }) else { return false }
    let isTold = await revokePending() == 0
    if !isTold { pause.withLock { $0.lengthen(at: now) } }
    return isTold
  }
}

/// How long a provider that could not be reached is left alone, in seconds: a minute at first, an hour at last, and each device a
/// little differently, so that not all come back at once.
private struct Pause {
  private var failures = 0
  private(set) var end = 0.0

  var isSet: Bool { failures > 0 }

  func isOver(at now: Double) -> Bool { now >= end }

  mutating func lengthen(at now: Double) {
    end = now + min(3600, 60 * Double(1 << min(failures, 6))) * .random(in: 0.75...1.25)
    failures += 1
  }
}

/// Hands the provider's page or code, and whose account it was, to whoever waits for it.
private final class PromptRelay: BrowserOpener {
  private let asker = Mutex<AgentClient?>(nil)

  func begin(_ asker: AgentClient) { self.asker.withLock { $0 = asker } }
  func end() { asker.withLock { $0 = nil } }

  func open(_ url: String) async throws {
    guard let asker = asker.withLock({ $0 }) else { throw OAuth2Error.noBrowser }
    asker.send(.open(page: url))
  }

  func show(_ prompt: DevicePrompt) {
    asker.withLock { $0 }?.send(.code(prompt.userCode, page: prompt.page, pageWithCode: prompt.pageWithCode))
  }

  /// A name may be chosen freely at a provider, and be another's at the same time: the number of the account goes with it.
  func isMeant(_ user: User?) async -> Bool {
    guard let asker = asker.withLock({ $0 }) else { return false }
    return await asker.isConfirmed(.account(user: user.map { user in user.name.map { "\($0) (\(user.id))" } ?? user.id }))
  }
}
