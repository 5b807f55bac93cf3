/// Whether a sleep of the machine was announced, so that no reader may be used. Time is passed in: milliseconds of the
/// monotonic clock, which stands still while the machine sleeps.
package struct Suspension: Equatable, Sendable {
  /// How long an announcement holds, awake: far longer than falling asleep takes, and short enough that the readers come
  /// back by themselves where the end of the sleep is never told.
  package static let limit: Int64 = 60_000

  private var announced: Int64?

  package mutating func suspend(at now: Int64) { announced = now }

  package mutating func resume() { announced = nil }

  func holds(at now: Int64) -> Bool {
    guard let announced else { return false }
    return now - announced < Suspension.limit
  }
}
