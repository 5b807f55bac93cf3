import CLinux

/// A mutex that a thread which holds it is refused, rather than waiting for itself.
@safe final class Lock {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init?() {
    guard let memory = unsafe calloc(1, MemoryLayout<pthread_mutex_t>.size) else { return nil }
    unsafe mutex = memory.assumingMemoryBound(to: pthread_mutex_t.self)
    make()
  }

  private func make() {
    var kind = pthread_mutexattr_t()
    _ = unsafe pthread_mutexattr_init(&kind)
    _ = unsafe pthread_mutexattr_settype(&kind, clinux_checked_mutex())
    _ = unsafe pthread_mutex_init(mutex, &kind)
    _ = unsafe pthread_mutexattr_destroy(&kind)
  }

  deinit {
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe free(mutex)
  }

  /// False where this thread holds it.
  func wait() -> Bool { unsafe pthread_mutex_lock(mutex) == 0 }

  /// False where anybody holds it.
  func take() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }

  func release() { _ = unsafe pthread_mutex_unlock(mutex) }

  /// In a forked child, where whoever held it may not exist.
  func reset() { make() }
}

/// What the program has answered for its user, from any thread, until the host takes it.
final class Replies {
  private let lock: Lock
  private var passcode: SecretBytes?
  private var wantsFallback = false

  init?() {
    guard let lock = Lock() else { return nil }
    self.lock = lock
  }

  /// In a forked child, where whoever held the lock may not exist.
  func reset() {
    lock.reset()
    forget()
  }

  /// For a new request: what was answered before was for another question.
  func forget() {
    guard lock.wait() else { return }
    defer { lock.release() }
    passcode = nil
    wantsFallback = false
  }

  /// False where it is longer than a passcode, or there is no memory.
  func put(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count <= FieldLimit.passcode, var copy = SecretBytes(capacity: FieldLimit.passcode), copy.append(bytes) else {
      return false
    }
    guard lock.wait() else { return false }
    defer { lock.release() }
    passcode = consume copy
    return true
  }

  func fallBack() {
    guard lock.wait() else { return }
    defer { lock.release() }
    wantsFallback = true
  }

  /// Takes the answer to what is asked; an answer to something else is thrown away.
  func take(isAsked: Bool, mayFallBack: Bool, into buffer: inout SecretBytes) -> HostAnswer {
    guard lock.wait() else { return .nothing }
    defer { lock.release() }
    let given = passcode.take()
    let isFallback = wantsFallback
    wantsFallback = false
    if isAsked, let given { return buffer.append(given.span) ? .passcode : .impossible }
    return isFallback && !isAsked && mayFallBack ? .fallback : .nothing
  }
}
