import Glibc

/// A value that threads share, and each change of which wakes the threads that wait for one: a mutex and a condition variable.
///
/// Everybody who was given the value may have changed it, so all who wait look again after each `withLock`. There is no change that
/// somebody could forget to announce.
@safe package final class Monitor<Value: Sendable>: @unchecked Sendable {
  /// What somebody who waits found.
  package enum Look<Result> {
    case found(Result)
    /// Not yet. Until when to wait, in milliseconds of the monotonic clock, and what it comes to then.
    case waits(until: Int64, otherwise: Result)
  }

  /// Only touched with the mutex held.
  private var value: Value
  // In memory of their own, because both are known by their address.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ value: Value) {
    self.value = value
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // A clock that is set moves no deadline.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// One thread at a time. Not to be called from within `body`.
  package func withLock<Result, Failure>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Looks at the value now and after each change, until something is found or it is too late. `look` may take what it finds, but
  /// changes nothing while it waits.
  package func wait<Result>(_ look: (inout Value) -> Look<Result>) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(mutex)
    }
    while true {
      switch look(&value) {
      case .found(let result): return result
      case .waits(let deadline, let otherwise):
        guard monotonicMilliseconds() < deadline else { return otherwise }
        var end = timespec(tv_sec: Int(deadline / 1000), tv_nsec: Int(deadline % 1000) * 1_000_000)
        _ = unsafe pthread_cond_timedwait(changed, mutex, &end)
      }
    }
  }

  /// Waits until something is so, to `deadline` on the monotonic clock at most; false where it is not so even then.
  @discardableResult
  package func wait(until deadline: Int64, for isSo: (Value) -> Bool) -> Bool {
    wait { isSo($0) ? .found(true) : .waits(until: deadline, otherwise: false) }
  }
}
