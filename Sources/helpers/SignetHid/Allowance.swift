/// How much may come: so much at once, and then one after each period. As a value; moments are in milliseconds.
struct Allowance: Equatable {
  let burst: Int64
  let period: Int64
  /// When all that was taken is made good.
  private var paid: Int64

  init(burst: Int64, period: Int64, at now: Int64) {
    self.burst = burst
    self.period = period
    paid = now
  }

  /// Takes one; false where there is none left.
  mutating func take(at now: Int64) -> Bool {
    guard wait(at: now) == 0 else { return false }
    paid = max(paid, now) + period
    return true
  }

  /// Nothing is left.
  mutating func forfeit(at now: Int64) { paid = max(paid, now + burst * period) }

  /// How long until there is one.
  func wait(at now: Int64) -> Int64 { max(0, paid + period - burst * period - now) }

  func isWhole(at now: Int64) -> Bool { paid <= now }
}
