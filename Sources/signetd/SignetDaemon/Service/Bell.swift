import CLinux
import Glibc
import SignetFiles

/// Wakes a thread that sleeps in poll(2) (eventfd(2)). Safe from any thread.
package final class Bell: Sendable {
  private let event = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))

  package init() {}

  /// For poll(2): readable from `ring` until `silence`; -1 where the system has no descriptor left, and then nobody is woken.
  package var descriptor: Int32 { event.raw }

  package func ring() {
    var one: UInt64 = 1
    _ = unsafe write(event.raw, &one, MemoryLayout<UInt64>.size)
  }

  /// What rang until now is known.
  package func silence() {
    var count: UInt64 = 0
    _ = unsafe read(event.raw, &count, MemoryLayout<UInt64>.size)
  }
}
