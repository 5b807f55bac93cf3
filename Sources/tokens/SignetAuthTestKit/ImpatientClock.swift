import Synchronization

/// A clock for what waits: nobody waits, and how long they would have is written down.
public final class ImpatientClock: Clock {
  public struct Instant: InstantProtocol {
    let offset: Duration
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let state = Mutex((now: Duration.zero, waits: [Duration]()))

  public init() {}

  public var now: Instant { Instant(offset: state.withLock { $0.now }) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// All waits so far.
  public var waits: [Duration] { state.withLock { $0.waits } }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.waits.append(deadline.offset - state.now)
      state.now = max(state.now, deadline.offset)
    }
  }
}
