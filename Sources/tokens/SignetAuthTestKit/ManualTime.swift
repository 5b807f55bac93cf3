import SignetAuth
import Synchronization

/// A clock that stands still until it is told otherwise.
public final class ManualTime: TimeSource {
  private let time: Mutex<Double>

  /// - Parameter now: seconds since 1970 in UTC.
  public init(_ now: Double = 1_800_000_000) { time = Mutex(now) }

  public var now: Double { time.withLock { $0 } }

  /// - Parameter seconds: less than 0 to set it back.
  public func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}
