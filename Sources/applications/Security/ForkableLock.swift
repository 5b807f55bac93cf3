import SignetCoreFoundation
import Synchronization

/// A lock that a forked child has anew: whoever held it at the fork is not there to give it back.
package final class ForkableLock: @unchecked Sendable {
  private var lock = NSLock()
  /// The process whose lock it is; negative while a thread of that process makes it.
  private let owner = Atomic(getpid())

  package init() {}

  private var own: NSLock {
    let process = getpid()
    while true {
      let known = owner.load(ordering: .acquiring)
      if known == process { return lock }
      if known == -process {
        sched_yield()
      } else if owner.compareExchange(expected: known, desired: -process, ordering: .acquiring).exchanged {
        lock = NSLock()
        owner.store(process, ordering: .releasing)
      }
    }
  }

  package func withLock<Value: ~Copyable, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let lock = own
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// The same where nobody holds it; `nil` otherwise.
  package func withLockAtOnce<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value? {
    let lock = own
    guard lock.try() else { return nil }
    defer { lock.unlock() }
    return try body()
  }
}
