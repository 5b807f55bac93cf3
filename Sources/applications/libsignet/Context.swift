// libsignet is the C API of applications: signet.h has every function. It carries what is asked and answered between a program
// and signetd, and decides nothing. Embedded Swift that links libc only. The folders that it shares with normal targets are
// symlinks in its own.
import CLinux
import CSignet

/// What a `signet_context` points to.
@safe final class Context {
  /// For signal handlers and other threads. Written when the context is made, and in a forked child.
  var interrupter: Interrupter
  let lock: Lock
  let replies: Replies
  var connection: ContextConnection
  /// Of the request that is under way.
  var host: ProgramHost
  var settings = Settings()
  var policy = PolicyAnswer(.invalidContext)
  var method = EvidenceMethod.none
  /// While an evaluation that was begun is under way.
  var events: EventSet?
  var isEvaluating = false
  private let name: String
  private var owner = getpid()

  /// What the program has set.
  @safe struct Settings {
    var prompter: signet_prompter?
    var data: UnsafeMutableRawPointer?
    var fallbackTitle: String?
    var cancelTitle: String?
    var reuse: UInt16 = 0
    var timeout: UInt16 = 60
    var mayInteract = true
  }

  init(name: String) throws(ContextError) {
    connection = try ContextConnection(path: ProgramEnvironment.socket, name: name)
    interrupter = connection.interrupter
    guard let lock = Lock(), let replies = Replies() else { throw .noMemory }
    self.lock = lock
    self.replies = replies
    self.name = name
    host = ProgramHost(replies)
  }

  /// The object behind a pointer; the pointer keeps it alive.
  static func at(_ pointer: OpaquePointer) -> Context {
    unsafe Unmanaged<Context>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  var pointer: OpaquePointer { unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// In a forked child: locks and connection of its own.
  func leaveParent() {
    guard getpid() != owner else { return }
    owner = getpid()
    lock.reset()
    replies.reset()
    connection.leaveParent()
    interrupter = connection.interrupter
    events = nil
    isEvaluating = false
    host = ProgramHost(replies)
  }

  /// Runs what only one thread may do at a time.
  func alone<Value>(_ body: () throws(ContextError) -> Value) throws(ContextError) -> Value {
    leaveParent()
    guard lock.wait() else { throw .inUse }
    defer { lock.release() }
    guard !isEvaluating else { throw .inUse }
    return try body()
  }

  /// Makes the host of the next request.
  func prepare(_ reason: String) {
    replies.forget()
    let prompting = Prompting(
      application: name, reason: reason, fallbackTitle: settings.fallbackTitle, cancelTitle: settings.cancelTitle)
    host = unsafe ProgramHost(
      replies, pointer, prompting, settings.prompter, settings.data, mayInteract: settings.mayInteract)
  }

  func request(_ policy: Policy) -> EvaluateRequest {
    EvaluateRequest(policy: policy, timeout: settings.timeout, reuse: settings.reuse, mayInteract: settings.mayInteract)
  }
}
