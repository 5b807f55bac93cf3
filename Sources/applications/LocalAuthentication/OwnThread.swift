import SignetCoreFoundation

/// A thread for one piece of work. Foundation's would not say where there is none, and Dispatch's are not to be had in a forked child.
enum OwnThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on one.
  ///
  /// - Parameter orElse: run here where the process has no thread left.
  static func run(_ body: @escaping @Sendable () -> Void, orElse: () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { work in
        if let work = unsafe work { unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      unsafe work.release()
      return orElse()
    }
    pthread_detach(thread)
  }
}
