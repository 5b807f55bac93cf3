/// A moment on the clocks of one machine, and how much time lies between two of them.
///
/// The boot clock (`CLOCK_BOOTTIME`, clock_gettime(2)) runs on in suspend and cannot be set; it says nothing across a
/// restart, which is what the boot's identity is for (proc_sys_kernel(5), `random/boot_id`). The wall clock can be set: it
/// may make time longer, never shorter.
public struct Moment: Equatable, Sendable {
  /// Which start of the machine, in 128 random bits.
  public struct Boot: Equatable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }
  }

  /// `nil` where the kernel does not say: such a moment is of no known boot, and equal to none.
  public var boot: Boot?
  /// Milliseconds on the boot clock.
  public var sinceBoot: UInt64
  /// Seconds since 1970 on the wall clock.
  public var wall: UInt64

  public init(boot: Boot?, sinceBoot: UInt64, wall: UInt64) {
    self.boot = boot
    self.sinceBoot = sinceBoot
    self.wall = wall
  }

  /// Whether the machine was not started anew between the two.
  public func isInBoot(of other: Moment) -> Bool { boot != nil && boot == other.boot }

  /// The seconds that may have passed since `earlier`, for what time forbids: as much as any clock says, and all the time
  /// there is (`.max`) where no clock can be trusted: after a restart, or where the boot clock went back, as it does in a
  /// virtual machine that is restored from a snapshot.
  public func secondsAtMost(since earlier: Moment) -> UInt64 {
    guard isInBoot(of: earlier), sinceBoot >= earlier.sinceBoot else { return .max }
    return max((sinceBoot - earlier.sinceBoot) / 1000, wall > earlier.wall ? wall - earlier.wall : 0)
  }

  /// The seconds that have passed for certain since `earlier`, for what time allows: the boot clock's alone, and after a
  /// restart those since the restart.
  public func secondsAtLeast(since earlier: Moment) -> UInt64 {
    guard isInBoot(of: earlier) else { return sinceBoot / 1000 }
    return sinceBoot > earlier.sinceBoot ? (sinceBoot - earlier.sinceBoot) / 1000 : 0
  }
}
