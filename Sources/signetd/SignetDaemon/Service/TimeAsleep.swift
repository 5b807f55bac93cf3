import Glibc

/// How long the machine has slept since it was started, in nanoseconds, as closely as two clocks can tell that cannot be
/// read at once: between the bounds.
///
/// The boot clock runs during sleep and the monotonic clock does not, so a difference that grew is a sleep, also one that
/// nobody announced.
package struct TimeAsleep: Equatable, Sendable {
  let atLeast: Int64
  let atMost: Int64

  /// From readings of the boot clock before and after one of the monotonic clock.
  package init(bootBefore: Int64, monotonic: Int64, bootAfter: Int64) {
    atLeast = bootBefore - monotonic
    atMost = bootAfter - monotonic
  }

  package static var now: TimeAsleep {
    let before = nanoseconds(CLOCK_BOOTTIME)
    let monotonic = nanoseconds(CLOCK_MONOTONIC)
    return TimeAsleep(bootBefore: before, monotonic: monotonic, bootAfter: nanoseconds(CLOCK_BOOTTIME))
  }

  /// Whether the machine slept between the earlier reading and this one. A thread that waited for its turn between two
  /// readings widens the bounds and is not taken for a sleep.
  package func hasGrown(since earlier: TimeAsleep) -> Bool { atLeast > earlier.atMost + TimeAsleep.skew }

  /// What two processors' clocks may differ by, and more: a thread may change processors between two readings. No sleep is
  /// as short.
  private static let skew: Int64 = 1_000_000
}
