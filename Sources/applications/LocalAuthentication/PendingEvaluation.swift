/// One evaluation under way: it is replied to once, and may be cancelled from any thread.
final class PendingEvaluation: @unchecked Sendable {
  private let lock = NSLock()
  private var reply: (@Sendable (Bool, (any Error)?) -> Void)?
  private var cancelling: (@Sendable () -> Void)?
  private var wasCancelled = false

  init(_ reply: @escaping @Sendable (Bool, (any Error)?) -> Void) { self.reply = reply }

  var isWanted: Bool {
    lock.lock()
    defer { lock.unlock() }
    return !wasCancelled
  }

  func onCancel(_ action: @escaping @Sendable () -> Void) {
    lock.lock()
    cancelling = action
    lock.unlock()
  }

  func cancel() {
    lock.lock()
    wasCancelled = true
    let action = reply == nil ? nil : cancelling
    lock.unlock()
    action?()
  }

  /// Replies in the caller's thread. `nil`: it succeeded.
  func end(_ error: LAError?) {
    lock.lock()
    let reply = self.reply.take()
    cancelling = nil
    lock.unlock()
    reply?(error == nil, error)
  }
}

/// Takes the end of a task to the evaluation that it waits for, which may begin before or after it.
final class TaskCancellation: @unchecked Sendable {
  @TaskLocal static var current: TaskCancellation?

  private let lock = NSLock()
  private var isCancelled = false
  private var target: PendingEvaluation?

  var evaluation: PendingEvaluation? {
    get {
      lock.lock()
      defer { lock.unlock() }
      return target
    }
    set {
      lock.lock()
      target = newValue
      let isLate = isCancelled
      lock.unlock()
      if isLate { newValue?.cancel() }
    }
  }

  func cancel() {
    lock.lock()
    isCancelled = true
    let target = target
    lock.unlock()
    target?.cancel()
  }
}
