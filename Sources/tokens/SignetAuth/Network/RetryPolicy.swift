/// When a request is sent once more, and after how long.
public struct RetryPolicy: Sendable {
  /// How often it is sent at most: 1 and more.
  public var attempts: Int
  /// The longest wait before the second attempt; it doubles with each further one.
  public var firstDelay: Duration
  /// The longest wait of one's own accord.
  public var maximumDelay: Duration
  /// The longest wait that a server may ask for by `Retry-After`; a server that asks for more is not asked again.
  public var maximumRetryAfter: Duration

  public init(
    attempts: Int = 3, firstDelay: Duration = .milliseconds(250), maximumDelay: Duration = .seconds(10),
    maximumRetryAfter: Duration = .seconds(60)
  ) {
    self.attempts = max(1, attempts)
    self.firstDelay = firstDelay
    self.maximumDelay = maximumDelay
    self.maximumRetryAfter = maximumRetryAfter
  }

  /// How long to wait before the next attempt; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - attempt: how many were made, 1 and more.
  ///   - retryAfter: what the server asked for.
  ///   - jitter: 0 to 1, at random. Many clients of a server that comes back do not come back at once.
  public func delay(after attempt: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
    guard attempt < attempts else { return nil }
    let longest = min(maximumDelay, firstDelay * (1 << min(attempt - 1, 20)))
    let own = longest * min(max(jitter, 0), 1)
    guard let retryAfter else { return own }
    return retryAfter <= maximumRetryAfter ? retryAfter + own : nil
  }

  /// What a server's `Retry-After` asks for (RFC 9110, 10.2.3): seconds or a date.
  static func retryAfter(_ response: NetworkResponse, now: Double) -> Duration? {
    guard let text = response.headers["Retry-After"] else { return nil }
    if text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(text) {
      return .seconds(seconds)
    }
    return HTTPDate.parse(text).map { .seconds(max(0, $0 - now)) }
  }
}
