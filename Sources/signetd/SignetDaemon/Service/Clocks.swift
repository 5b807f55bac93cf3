import CLinux
import Glibc
import SignetAuthentication
import SignetFiles

/// The boot clock in milliseconds: setting the time does not move it, a suspend does not stop it.
package func bootMilliseconds() -> Int64 { nanoseconds(CLOCK_BOOTTIME) / 1_000_000 }

/// Milliseconds since the machine was started, without the time asleep.
package func monotonicMilliseconds() -> Int64 { nanoseconds(CLOCK_MONOTONIC) / 1_000_000 }

/// Seconds since 1970, for people to read. It can be set: see `Moment` for what it may decide.
package func wallSeconds() -> UInt64 { UInt64(max(0, nanoseconds(CLOCK_REALTIME) / 1_000_000_000)) }

/// What a clock says (clock_gettime(2)).
func nanoseconds(_ clock: clockid_t) -> Int64 {
  var now = timespec()
  guard unsafe clock_gettime(clock, &now) == 0 else { return 0 }
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// The clocks by which lockout and delays run. Tests pass their own.
package typealias MomentClock = @Sendable () -> Moment

/// This machine's clocks, now.
package func machineMoment() -> Moment {
  Moment(boot: thisBoot, sinceBoot: UInt64(max(0, bootMilliseconds())), wall: wallSeconds())
}

/// The kernel's identity of this start of the machine; `nil` where it cannot be read, and then no time can be trusted.
private let thisBoot: Moment.Boot? = {
  let descriptor = Descriptor(unsafe clinux_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0))
  var text = [UInt8](repeating: 0, count: 64)
  let count = unsafe text.withUnsafeMutableBytes { unsafe read(descriptor.raw, $0.baseAddress, $0.count) }
  return Moment.Boot(uuid: text.prefix(max(0, count)))
}()

extension Moment.Boot {
  /// From the text form of a UUID, with whatever stands between its 32 hexadecimal digits; `nil` where there are not 32.
  package init?(uuid text: some Sequence<UInt8>) {
    let digits = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 32 else { return nil }
    let halves = [digits.prefix(16), digits.suffix(16)].map { $0.reduce(UInt64(0)) { $0 << 4 | UInt64($1) } }
    self.init(high: halves[0], low: halves[1])
  }
}
