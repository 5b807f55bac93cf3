/// The numbers of the lockout rule. The defaults are Touch ID's.
public struct LockoutLimits: Equatable, Sendable {
  /// Strikes that lock the fingerprints, over all evaluations and services, 1 to 255.
  public var strikes = 5
  /// Misses that end one evaluation's scanning, 0 to 255. None at all is none: the passcode then.
  public var missesPerEvaluation = 3
  /// Poor scans without a verdict between them after which an evaluation fails and is charged, 1 to 255. They add up over
  /// evaluations that were cancelled.
  public var poorScansPerEvaluation = 10

  public init() {}
}
