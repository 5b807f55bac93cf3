import Glibc

/// The boot clock in milliseconds: setting the time does not move it, a suspend does not stop it.
func bootMilliseconds() -> Int64 {
  var now = timespec()
  guard unsafe clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return 0 }
  return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}

/// Seconds since 1970, for people to read; nothing is decided by it.
func wallSeconds() -> UInt64 {
  var now = timespec()
  guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
  return UInt64(max(0, now.tv_sec))
}
