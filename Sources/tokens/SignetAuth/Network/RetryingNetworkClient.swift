/// Sends a request again where that does no harm and may help: an idempotent one, after no answer or 429, 502, 503 or 504.
public struct RetryingNetworkClient: NetworkClient {
  private let client: any NetworkClient
  private let policy: RetryPolicy
  private let clock: any Clock<Duration>
  private let time: any TimeSource
  private let jitter: @Sendable () -> Double

  /// - Parameters:
  ///   - clock: waits.
  ///   - time: for a `Retry-After` that is a date.
  ///   - jitter: 0 to 1, at random.
  public init(
    _ client: any NetworkClient, policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    time: any TimeSource = SystemTime(), jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.client = client
    self.policy = policy
    self.clock = clock
    self.time = time
    self.jitter = jitter
  }

  public var baseURL: Endpoint? { client.baseURL }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    guard request.method.isIdempotent else { return try await client.send(request) }
    var attempt = 1
    while true {
      let outcome: Result<NetworkResponse, any Error>
      do { outcome = .success(try await client.send(request)) } catch { outcome = .failure(error) }
      guard let wait = wait(after: attempt, outcome) else { return try outcome.get() }
      try await clock.sleep(for: wait)
      attempt += 1
    }
  }

  private func wait(after attempt: Int, _ outcome: Result<NetworkResponse, any Error>) -> Duration? {
    switch outcome {
    case .success(let response):
      guard [429, 502, 503, 504].contains(response.status) else { return nil }
      let asked = RetryPolicy.retryAfter(response, now: time.now)
      return policy.delay(after: attempt, retryAfter: asked, jitter: jitter())
    case .failure(let error):
      guard (error as? NetworkError)?.isTransient == true else { return nil }
      return policy.delay(after: attempt, retryAfter: nil, jitter: jitter())
    }
  }
}
