import SignetAuthTestKit
import Synchronization

@testable import SignetAuth
@testable import SignetTokenServices

/// A clock that is wrong by so many seconds, and is put forward by who waits for it.
final class WrongTime: TimeSource {
  private let offset: Mutex<Double>

  init(by offset: Double = 0) { self.offset = Mutex(offset) }

  var now: Double { offset.withLock { SystemTime().now + $0 } }

  func advance(by seconds: Double) { offset.withLock { $0 += seconds } }
}

/// Changes the fields of forms, and remembers requests: what somebody in between would do.
final class Interceptor: NetworkClient {
  typealias Change = @Sendable (inout [String: String]) -> Void

  private let network: any NetworkClient
  private let change: Change
  private let sent = Mutex<[NetworkRequest]>([])

  init(_ network: any NetworkClient, _ change: @escaping Change = { _ in }) {
    self.network = network
    self.change = change
  }

  /// The requests with a form that has this field.
  func requests(with field: String) -> [NetworkRequest] { sent.withLock { $0 }.filter { Interceptor.form($0)?[field] != nil } }

  static func form(_ request: NetworkRequest) -> [String: String]? {
    guard request.headers["Content-Type"] == FormEncoding.mediaType else { return nil }
    return FormEncoding.decode(String(decoding: request.body, as: UTF8.self)[...])
  }

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    var request = request
    if var form = Interceptor.form(request) {
      change(&form)
      request.body = Array(FormEncoding.encode(form.map { ($0.key, $0.value) }).utf8)
    }
    sent.withLock { $0.append(request) }
    return try await network.send(request)
  }
}

extension MemoryTokenStorage {
  /// The one refresh token, or session, that is kept.
  var kept: String? {
    let texts = tokens.filter { $0.key.kind != .revocation }.values
    return texts.count == 1 ? texts.first.flatMap { try? StoredSignIn($0) }?.refreshToken : nil
  }

  /// Everything kept that the server may take.
  var candidates: [String] { tokens.values.compactMap { try? StoredSignIn($0) }.flatMap(\.candidates) }

  /// A storage that an earlier process left this in.
  static func holding(_ token: String, user: String, for service: String, kind: TokenKind = .refresh) throws -> MemoryTokenStorage
  {
    let storage = MemoryTokenStorage()
    try storage.store(
      token: StoredSignIn(refreshToken: token, user: User(id: user)).text,
      for: TokenKey(service: service, account: "a", kind: kind))
    return storage
  }
}

/// The error of this module that something failed with; `nil` where it did not.
func failure(_ body: () async throws -> Void) async throws -> AuthError? {
  do {
    try await body()
    return nil
  } catch let error as AuthError {
    return error.withoutReason
  }
}

extension AuthError {
  /// Without what the libraries below say in their own words.
  var withoutReason: AuthError {
    switch self {
    case .network(.unreachable(let host, _)): .network(.unreachable(host: host, reason: ""))
    case .network(.notTrusted(let host, _)): .network(.notTrusted(host: host, reason: ""))
    default: self
    }
  }
}

/// Breaks the first access token that it sees: the server, which cannot revoke one, answers as if it had.
final class RefusingOnce: NetworkClient {
  private let network: any NetworkClient
  private let broken = Mutex<String?>(nil)

  init(_ network: any NetworkClient) { self.network = network }

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    var request = request
    if let token = request.headers["Authorization"] {
      let isBroken = broken.withLock { broken in
        broken = broken ?? token
        return broken == token
      }
      if isBroken { request.headers["Authorization"] = token + "x" }
    }
    return try await network.send(request)
  }
}

/// A clock for who waits beside a time: waiting puts that one forward, and takes none.
final class HurryingClock: Clock {
  private let time: WrongTime

  init(_ time: WrongTime) { self.time = time }

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let wait = ContinuousClock.now.duration(to: deadline)
    // What the call itself took is no wait.
    time.advance(by: (Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18).rounded(.up))
  }
}
