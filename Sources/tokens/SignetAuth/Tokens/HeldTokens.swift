/// The tokens that a service holds now.
struct HeldTokens: Sendable {
  /// Tells what was held before from what is held now, where the tokens are the same.
  let number: Int
  let accessToken: String
  /// In memory as long as the process may refresh without asking.
  let refreshToken: String?
  let user: User
  /// Seconds since 1970 in UTC; `nil` where it is not known.
  let expiration: Double?
  /// From when on a new one is asked for.
  let refreshTime: Double?
  let isStored: Bool
  let idToken: TimedToken?

  /// - Parameter jitter: 0 to 1, at random: when in the last quarter of its life a token is refreshed, so that many devices
  ///   that signed in at once do not refresh at once.
  init(
    _ grant: TokenGrant, number: Int, refreshToken: String?, user: User, isStored: Bool, idToken: TimedToken?, now: Double,
    jitter: Double
  ) {
    self.number = number
    accessToken = grant.accessToken
    self.refreshToken = refreshToken
    self.user = user
    self.isStored = isStored
    self.idToken = idToken
    expiration = grant.lifetime.map { now + max(0, $0) }
    refreshTime = grant.lifetime.map { now + max(0, $0) * (0.75 + 0.15 * min(max(jitter, 0), 1)) }
  }

  enum Freshness { case fresh, refreshSoon, expired }

  /// How it stands at a time. One that expires within seconds would do so on its way.
  func freshness(at now: Double) -> Freshness {
    guard let expiration, let refreshTime else { return .fresh }
    if now >= expiration - HeldTokens.margin(expiration, refreshTime) { return .expired }
    return now >= refreshTime ? .refreshSoon : .fresh
  }

  /// Five seconds, but no more than half of what is left when the refresh begins.
  private static func margin(_ expiration: Double, _ refreshTime: Double) -> Double { min(5, (expiration - refreshTime) / 2) }
}
