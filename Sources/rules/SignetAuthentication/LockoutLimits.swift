/// The numbers of the lockout rule. The defaults are Touch ID's.
public struct LockoutLimits: Equatable, Sendable {
  /// How many strikes, over all evaluations and services, lock the fingerprints: 1 to 255.
  public var strikes = 5
  /// How many misses end one evaluation's scanning: 0 to 255. With 0 no finger is asked for, but the passcode at once.
  public var missesPerEvaluation = 3
  /// How many poor scans in a row make an evaluation fail and cost a strike: 1 to 255. Those of evaluations that were
  /// cancelled count too.
  public var poorScansPerEvaluation = 10
  /// How many cancelled scans in a row cost a strike where the reader does not tell whether a finger was there: 1 to 255. Whoever
  /// changes their mind has more patience than whoever misses, and whoever cancels before a miss is told buys three looks for one.
  public var unseenCancels = 3

  public init() {}
}
