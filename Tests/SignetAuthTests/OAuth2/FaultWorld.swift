import SignetAuthTestKit
import SignetJWT
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// A provider that makes faults, a storage, and the agent's service between them.
final class FaultWorld: @unchecked Sendable {
  let time = ManualTime()
  let storage: MemoryTokenStorage
  let provider: FakeProvider
  private(set) var service: OAuth2AuthService

  init(_ storage: MemoryTokenStorage = MemoryTokenStorage()) throws {
    self.storage = storage
    provider = FakeProvider(time: time)
    service = FaultWorld.service(storage, provider, time)
  }

  /// The next agent, on another storage and network.
  func replaceService(storage: any TokenStorage, network: any NetworkClient) {
    service = FaultWorld.service(storage, network, time)
  }

  private static func service(_ storage: any TokenStorage, _ provider: any NetworkClient, _ time: ManualTime) -> OAuth2AuthService
  {
    OAuth2AuthService(
      client: OAuth2Client(issuer: FakeProvider.issuer, clientID: "app"), account: "a", storage: storage, network: provider,
      interaction: OAuth2AuthService.Interaction(showDevicePrompt: { _ in }, clock: PassingClock(time)), time: time, jitter: { 0 }
    )
  }

  let key = TokenKey(service: FakeProvider.issuer, account: "a", kind: .refresh)

  /// The next agent, with what the storage has.
  func restart() { service = anotherAgent() }

  private func anotherAgent() -> OAuth2AuthService { FaultWorld.service(storage, provider, time) }

  func bind() async throws { _ = try await service.login(credentials: .device) }

  func act(_ action: FaultTests.Action) async throws {
    switch action {
    case .bind: try await bind()
    case .refresh: _ = try await service.refreshAuth()
    case .login: _ = try await service.login(credentials: .stored)
    case .unbind: try await service.logout()
    }
  }

  /// What is said; empty where it went well.
  func outcome(of action: FaultTests.Action) async -> String {
    do { try await act(action) } catch { return "\(error)" }
    return ""
  }

  /// - Parameter times: how many answers of the token endpoint it is about.
  func set(_ fault: FaultTests.Fault?, times: Int = .max) {
    let left = LeftOver(times)
    let skew = fault?.skew ?? 0
    let now = Int(time.now) + skew
    let other = SigningKey(keyID: "two")
    provider.change { behaviour in
      behaviour.way = nil
      behaviour.idClaims = [:]
      behaviour.answers = [:]
      behaviour.idKey = nil
      guard let fault else { return }
      if skew != 0 { behaviour.idClaims = ["iat": .integer(now), "exp": .integer(now + 300)] }
      if fault == .newKey || fault == .keyGone { behaviour.idKey = other }
      if fault == .keyGone { behaviour.answers["/o/keys"] = NetworkResponse(status: 503) }
      behaviour.way = { request, answer in
        guard ["/o/token", "/o/revoke"].contains(request.endpoint.path), left.take() else { return try answer() }
        return try fault.answer(answer)
      }
    }
  }

  func requireEnd(_ end: FaultTests.End, after action: FaultTests.Action) async throws {
    let isLeft = storage.tokens[key] != nil
    switch end {
    case .done where action == .unbind: #expect(!isLeft && provider.current == nil)
    case .done:
      #expect(isLeft)
      try await requireSignIn()
    case .later:
      #expect(isLeft)
      try await requireSignIn()
    case .bindAnew:
      // It may be kept until it has been refused twice.
      for _ in 1...2 {
        restart()
        await #expect(throws: AuthError.self) { try await self.service.login(credentials: .stored) }
      }
      #expect(storage.tokens[key] == nil)
    case .toldLater:
      #expect(!isLeft)
      restart()
      #expect(await service.revokePending() == 0)
      #expect(storage.tokens.isEmpty && provider.current == nil)
    }
  }

  /// By the next agent, and once more, so that what the first time gave is good as well.
  private func requireSignIn() async throws {
    restart()
    time.advance(by: 60)
    _ = try await service.login(credentials: .stored)
    restart()
    _ = try await service.login(credentials: .stored)
    #expect(try StoredSignIn(#require(storage.tokens[key])).refreshToken == provider.current)
  }
}

/// Nobody waits: what is waited for has passed at once.
private struct PassingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  let time: ManualTime
  private let began = ContinuousClock.now

  init(_ time: ManualTime) { self.time = time }

  var now: Instant { began }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.advance(by: Double((deadline - began).components.seconds))
  }
}

private final class LeftOver: Sendable {
  private let count: Mutex<Int>
  init(_ count: Int) { self.count = Mutex(count) }

  func take() -> Bool {
    count.withLock { count in
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }
}

extension FaultTests.Fault {
  /// How many seconds the provider's clock is ahead.
  fileprivate var skew: Int {
    switch self {
    case .ahead1: 60
    case .ahead10: 600
    case .ahead60: 3600
    case .behind1: -60
    case .behind10: -600
    case .behind60: -3600
    default: 0
    }
  }

  fileprivate func answer(_ answer: () throws -> NetworkResponse) throws -> NetworkResponse {
    let host = "id.example"
    switch self {
    case .refused: return NetworkResponse(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
    case .failing: return NetworkResponse(status: 500)
    case .unavailable: return NetworkResponse(status: 503)
    case .silent: throw NetworkError.timedOut(host: host)
    case .endless:
      _ = try answer()
      throw NetworkError.tooLarge(host: host, limit: 1 << 20)
    case .cutBefore: throw NetworkError.unreachable(host: host, reason: "cut")
    case .cutAfterRotation:
      _ = try answer()
      throw NetworkError.unreachable(host: host, reason: "cut")
    case .garbage:
      // All is there but what says how it is to be used.
      var response = try answer()
      guard var object = try? JSONReader.object(response.body, limit: 1 << 20) else { return response }
      object["token_type"] = nil
      response = NetworkResponse(status: response.status, body: object.encoded)
      return response
    case .wrongCertificate: throw NetworkError.notTrusted(host: host, reason: "self-signed")
    default: return try answer()
    }
  }
}
