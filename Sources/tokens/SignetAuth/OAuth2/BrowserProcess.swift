import CEnvironment
import CLinux
import Dispatch
import Synchronization

/// A process that shows a page, with nothing of this one but its environment. Who gives up waiting leaves it: it may be the browser
/// itself.
final class BrowserProcess: Sendable {
  private let state = Mutex<(end: Int32?, isCancelled: Bool, waiting: CheckedContinuation<Int32, any Error>?)>(
    (nil, false, nil))

  /// - Parameter environment: other variables than this process has.
  /// - Returns: `nil` where it does not start.
  init?(_ words: [String], environment: [String: String]?) {
    guard let process = BrowserProcess.start(words, environment) else { return nil }
    // A thread waits for it, and none of those that tasks share.
    DispatchQueue(label: "signet.SignetAuth.browser").async {
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0, clinux_errno() == EINTR {}
      // Whoever else waits for this program's children may have been told in our place: then it is 0. A signal is no good end.
      self.set(status & 0x7F != 0 ? -1 : status >> 8 & 0xFF)
    }
  }

  private static func start(_ words: [String], _ environment: [String: String]?) -> pid_t? {
    // Each pointer below is there until the call is over: that is each `unsafe`.
    var actions = unsafe posix_spawn_file_actions_t()
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for number in 0..<Int32(3) { _ = unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0) }
    _ = unsafe clinux_spawn_close_from(&actions, 3)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var variables = unsafe environment?.map { unsafe strdup("\($0)=\($1)") } ?? []
    defer { unsafe variables.forEach { unsafe free($0) } }
    unsafe variables.append(nil)
    var process: pid_t = 0
    let code = unsafe variables.withUnsafeMutableBufferPointer { variables in
      unsafe clinux_spawn(
        &process, words[0], &actions, &arguments, environment == nil ? cenvironment_all() : variables.baseAddress!)
    }
    return code == 0 ? process : nil
  }

  private func set(_ end: Int32) {
    let waiting = state.withLock { state in
      state.end = end
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: end)
  }

  /// Its exit code; -1 after a signal.
  func wait() async throws -> Int32 {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (end, isCancelled) = state.withLock { state in
          if state.end == nil, !state.isCancelled { state.waiting = continuation }
          return (state.end, state.isCancelled)
        }
        if let end {
          continuation.resume(returning: end)
        } else if isCancelled {
          continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isCancelled = true
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(throwing: CancellationError())
    }
  }
}
