import CLinux
import Glibc

/// A file descriptor, closed when the value ends.
struct Descriptor: ~Copyable, Sendable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  deinit { if raw >= 0 { close(raw) } }
}

/// A system call that failed.
struct SystemError: Error, Equatable {
  /// The call and the file or thing it was about: `open /var/lib/signet/users/1000/strikes`.
  var call: String
  var code: Int32

  /// The failure of the call just made.
  static func last(_ call: String) -> SystemError { SystemError(call: call, code: clinux_errno()) }

  var description: String {
    guard let text = unsafe strerror(code) else { return "\(call): error \(code)" }
    return unsafe "\(call): \(String(cString: text))"
  }
}

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
