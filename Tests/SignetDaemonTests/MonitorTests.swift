import Foundation
import SignetTestKit
import Synchronization
import Testing

@testable import DaemonService

/// Waiting for what another thread does.
@Suite struct MonitorTests {
  /// Longer than anything here takes, on any machine.
  private static let ample: Int64 = 60_000

  private func begin(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

  @Test func `a change in another thread ends a wait for it`() {
    let monitor = Monitor(0)
    begin { for _ in 1...3 { monitor.withLock { $0 += 1 } } }
    #expect(monitor.wait(until: monotonicMilliseconds() + Self.ample) { $0 == 3 })
  }

  @Test func `what is so already is not waited for, even where it is too late to wait`() {
    let monitor = Monitor(3)
    #expect(monitor.wait(until: 0) { $0 == 3 })
    #expect(!monitor.wait(until: 0) { $0 == 4 })
  }

  @Test func `a wait in vain ends at its deadline, and not before`() {
    let monitor = Monitor(0)
    let deadline = monotonicMilliseconds() + 30
    #expect(!monitor.wait(until: deadline) { $0 == 1 })
    #expect(monotonicMilliseconds() >= deadline)
  }

  @Test func `of many who wait for one thing each change serves one`() throws {
    let monitor = Monitor(0)
    let served = Mutex(0)
    for _ in 1...8 {
      begin {
        let isServed: Bool = monitor.wait { count in
          guard count > 0 else { return .waits(until: monotonicMilliseconds() + Self.ample, otherwise: false) }
          count -= 1
          return .found(true)
        }
        if isServed { served.withLock { $0 += 1 } }
      }
    }
    for number in 1...8 {
      monitor.withLock { $0 += 1 }
      try wait(for: "the \(number). one") { served.withLock { $0 } == number }
    }
    #expect(monitor.withLock { $0 } == 0)
  }

  @Test func `who waits in a list hears what happens from then on, and looks first`() {
    let list = WaitingList()
    list.wake()
    let waiter = list.join()
    #expect(!isReadable(waiter))
    list.wake()
    #expect(isReadable(waiter))
    waiter.looks()
    #expect(!isReadable(waiter))
  }

  @Test func `who has left a list keeps no descriptor of it`() throws {
    let list = WaitingList()
    let before = try RawFile.names(in: "/proc/self/fd").count
    for _ in 1...2_000 { _ = list.join() }
    #expect(try RawFile.names(in: "/proc/self/fd").count < before + 1_000)
  }

  private func isReadable(_ waiter: WaitingList.Waiter) -> Bool {
    var watched = pollfd(fd: waiter.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) == 1
  }
}
