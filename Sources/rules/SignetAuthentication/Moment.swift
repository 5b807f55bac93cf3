/// A moment on the clocks of one machine, and how much time lies between two of them.
///
/// The boot clock (`CLOCK_BOOTTIME`, clock_gettime(2)) runs on in suspend and cannot be set. It begins anew with each restart,
/// so a moment also has the boot's identity (proc_sys_kernel(5), `random/boot_id`). The wall clock can be set, so it is only
/// believed where it makes the time since a moment longer, never where it makes it shorter.
public struct Moment: Equatable, Sendable {
  /// The 128 random bits by which the kernel tells one start of the machine from another.
  public struct Boot: Equatable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }
  }

  /// `nil` where the kernel does not say. Such a moment is in the same boot as no other moment.
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

  /// Whether both moments are known to be in the same boot.
  public func isInBoot(of other: Moment) -> Bool { boot != nil && boot == other.boot }

  /// The most seconds that may have passed since `earlier`, for rules by which time takes something away. It is the longest
  /// time that any clock says, and `.max` where no clock can be trusted: after a restart, or where the boot clock went back, as
  /// it does in a virtual machine that is restored from a snapshot.
  public func secondsAtMost(since earlier: Moment) -> UInt64 {
    guard isInBoot(of: earlier), sinceBoot >= earlier.sinceBoot else { return .max }
    return max((sinceBoot - earlier.sinceBoot) / 1000, wall > earlier.wall ? wall - earlier.wall : 0)
  }

  /// The fewest seconds that can have passed since `earlier`, for rules by which waiting gives something back. Only the boot
  /// clock counts, and after a restart only the time since the restart.
  public func secondsAtLeast(since earlier: Moment) -> UInt64 {
    guard isInBoot(of: earlier) else { return sinceBoot / 1000 }
    return sinceBoot > earlier.sinceBoot ? (sinceBoot - earlier.sinceBoot) / 1000 : 0
  }
}
