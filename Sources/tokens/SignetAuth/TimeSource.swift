import Glibc

/// What time it is. Tokens expire by it, also while the machine sleeps.
public protocol TimeSource: Sendable {
  /// Seconds since 1970 in UTC.
  var now: Double { get }
}

/// The machine's clock.
public struct SystemTime: TimeSource {
  public init() {}

  public var now: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
