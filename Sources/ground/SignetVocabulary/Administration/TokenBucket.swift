/// How often something may happen: so often at once, and then once after each period. As a value; moments are in milliseconds.
public struct TokenBucket: Equatable, Sendable {
  private let burst: Int64
  private let period: Int64
  /// When all that was taken is made good.
  private var paid: Int64

  /// A full one. `period` is at least 1.
  public init(burst: Int64, period: Int64, at now: Int64) {
    self.burst = burst
    self.period = period
    paid = now
  }

  /// Takes one; false where there is none left.
  public mutating func take(at now: Int64) -> Bool {
    guard wait(at: now) == 0 else { return false }
    paid = max(paid, now) + period
    return true
  }

  /// Nothing is left.
  public mutating func forfeit(at now: Int64) { paid = max(paid, now + burst * period) }

  /// How long until there is one.
  public func wait(at now: Int64) -> Int64 { max(0, paid + period - burst * period - now) }

  public func isFull(at now: Int64) -> Bool { paid <= now }
}
