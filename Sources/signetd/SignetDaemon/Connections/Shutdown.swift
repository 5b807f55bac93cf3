import DaemonService
import Synchronization

/// Says to all threads that signetd is being stopped.
package final class Shutdown: Sendable {
  private let flag = Atomic<Bool>(false)
  /// Rings from then on, for those who sleep.
  let bell = Bell()

  package init() {}

  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  package func request() {
    flag.store(true, ordering: .relaxed)
    bell.ring()
  }
}
