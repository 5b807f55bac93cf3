import Synchronization

/// Says to all threads that signetd is being stopped.
package final class Shutdown: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  package func request() { flag.store(true, ordering: .relaxed) }
}
