/// A token, and when it expires.
public struct TimedToken: Equatable, Sendable {
  public var text: String
  /// Seconds since 1970 in UTC; `nil` where it is not known.
  public var expiration: Double?

  public init(_ text: String, expiration: Double?) {
    self.text = text
    self.expiration = expiration
  }

  /// Whether it can be sent now: what expires within seconds would do so on its way.
  func isUsable(at now: Double) -> Bool { expiration.map { now < $0 - 5 } ?? true }
}
