import FoundationEssentials

/// What time it is. Tokens expire by it, also while the machine sleeps.
public protocol TimeSource: Sendable {
  /// Seconds since 1970 in UTC.
  var now: Double { get }
}

/// The machine's clock.
public struct SystemTime: TimeSource {
  public init() {}
  public var now: Double { Date().timeIntervalSince1970 }
}
