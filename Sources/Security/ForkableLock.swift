import SignetCoreFoundation

/// A lock that a forked child has anew: whoever held it at the fork is not there to give it back.
package final class ForkableLock: @unchecked Sendable {
  private var lock = NSLock()
  private var owner = getpid()

  package init() {}

  /// A child has one thread at first, so that nobody else looks meanwhile.
  private var own: NSLock {
    if owner != getpid() { (lock, owner) = (NSLock(), getpid()) }
    return lock
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
