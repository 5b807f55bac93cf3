import CLogind
import Glibc

/// Tells that a session began, ended, or came to the foreground or left it, by logind (sd-login(3)). Use it from one thread at a time.
@safe package final class SessionMonitor {
  private let monitor: UnsafeMutableRawPointer

  /// `nil` where there is no logind.
  package init?() {
    guard let monitor = unsafe clogind_monitor() else { return nil }
    unsafe self.monitor = monitor
  }

  deinit { unsafe clogind_end_monitor(monitor) }

  /// For poll(2).
  package var descriptor: Int32 { unsafe clogind_monitor_descriptor(monitor) }

  /// Whether something happened since the last time.
  package func takeChange() -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&watched, 1, 0) > 0 else { return false }
    unsafe clogind_silence_monitor(monitor)
    return true
  }
}
