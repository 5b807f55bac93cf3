/// The time at which a token is judged, and how wrong two clocks may be.
public struct TokenClock: Sendable {
  /// Seconds since 1970 in UTC.
  public let now: Double
  /// By how much the issuer's clock may differ: 0 to 300 seconds.
  public let skew: Double

  /// - Parameters:
  ///   - now: seconds since 1970 in UTC.
  ///   - skew: how many seconds the issuer's clock may differ; brought into 0 to 300.
  public init(now: Double, skew: Double = 60) {
    // A time that is none compares as neither before nor after: every token has expired by it.
    self.now = now.isFinite ? now : .infinity
    self.skew = skew.isNaN ? 0 : min(max(skew, 0), 300)
  }

  /// The times that every token may have (RFC 7519, 4.1.4 to 4.1.6).
  func check(_ claims: JWTClaims) throws(JWTError) {
    if let expiration = claims.expiration, now >= expiration + skew { throw .expired }
    if let notBefore = claims.notBefore, now < notBefore - skew { throw .notYetValid }
    if let issuedAt = claims.issuedAt, now < issuedAt - skew { throw .notYetValid }
  }

  /// - Throws: `JWTError.tooOld` where `time` is more than `seconds` ago, `notYetValid` where it is to come.
  func check(_ time: Double, atMost seconds: Double) throws(JWTError) {
    if now < time - skew { throw .notYetValid }
    if now > time + seconds + skew { throw .tooOld }
  }
}

/// A time as tokens say it; 0 for one that is none.
func wholeSeconds(_ time: Double) -> Int { Int(exactly: time.rounded(.down)) ?? 0 }
