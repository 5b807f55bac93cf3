import CEnvironment
import CLinux

#if !hasFeature(Embedded)
  import SignetClient
  import SignetMemory
  import SignetVocabulary
#endif

/// Shows and asks by signet-prompt(8), a process of the user's, which is started when there is something to show and takes the
/// connection for as long. So a passcode never comes into this process.
struct DesktopPrompter: ~Copyable, ContextHost {
  private let prompting: Prompting
  private let program: String
  private var process: pid_t = 0
  /// pidfd_open(2) of the process.
  private var watch: Int32 = -1
  /// Its other end is the process's: each of the two sees the other's end by it.
  private var line: Int32 = -1

  /// How long the process may take to end, in milliseconds.
  private static var endTimeout: Int32 { 500 }
  /// What the process finds its two descriptors at.
  private static var connectionNumber: Int32 { 3 }
  private static var lineNumber: Int32 { 4 }

  init(_ prompting: Prompting, by program: String) {
    self.prompting = prompting
    self.program = program
  }

  deinit {
    if line >= 0 { _ = close(line) }
    if watch >= 0 { _ = close(watch) }
  }

  var canInteract: Bool { true }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {}

  mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer { .impossible }

  mutating func handOver(_ connection: Int32) -> HandOver {
    var ends: (Int32, Int32) = (-1, -1)
    let kind = Int32(truncatingIfNeeded: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let made = unsafe withUnsafeMutablePointer(to: &ends) { both in
      unsafe both.withMemoryRebound(to: Int32.self, capacity: 2) { first in unsafe socketpair(AF_UNIX, kind, 0, first) }
    }
    guard made == 0 else { return .impossible }
    process = spawn(connection, ends.1)
    _ = close(ends.1)
    guard process > 0 else {
      _ = close(ends.0)
      return .impossible
    }
    line = ends.0
    watch = pidfd_open(process, 0)
    return .started(watch >= 0 ? watch : line)
  }

  mutating func takeBack() -> Bool {
    let status = end()
    // Whoever reaps all children of the process may have had the status: then what signetd says next decides.
    return status == nil || status == 0
  }

  mutating func endHandOver() { _ = end() }

  mutating func finish() { _ = end() }

  /// Ends the process where it has not ended. What waitpid(2) says of it; `nil` where somebody else was told.
  private mutating func end() -> Int32? {
    guard process > 0 else { return nil }
    if line >= 0 { _ = close(line) }
    line = -1
    var ended = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&ended, 1, DesktopPrompter.endTimeout)
    if watch < 0 || count <= 0 { _ = kill(process, SIGKILL) }
    var status: Int32 = 0
    var reaped = unsafe waitpid(process, &status, 0)
    while reaped < 0, clinux_errno() == EINTR { reaped = unsafe waitpid(process, &status, 0) }
    if watch >= 0 { _ = close(watch) }
    watch = -1
    defer { process = 0 }
    return reaped == process ? status : nil
  }

  /// Starts the process with the connection, its end of the line, and nothing else that is open.
  private func spawn(_ connection: Int32, _ end: Int32) -> pid_t {
    // From where the numbers that the process is given do not overwrite them.
    let (connection, end) = (clinux_duplicate(connection, 10), clinux_duplicate(end, 10))
    defer { for descriptor in [connection, end] where descriptor >= 0 { _ = close(descriptor) } }
    guard connection >= 0, end >= 0 else { return -1 }
    var actions = unsafe posix_spawn_file_actions_t()
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return -1 }
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    _ = unsafe posix_spawn_file_actions_adddup2(&actions, connection, DesktopPrompter.connectionNumber)
    _ = unsafe posix_spawn_file_actions_adddup2(&actions, end, DesktopPrompter.lineNumber)
    _ = unsafe clinux_spawn_close_from(&actions, DesktopPrompter.lineNumber &+ 1)
    var words = unsafe [UnsafeMutablePointer<CChar>?]()
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    for argument in arguments {
      guard let word = unsafe argument.withCString({ unsafe strdup($0) }) else { return -1 }
      unsafe words.append(word)
    }
    unsafe words.append(nil)
    var pid: pid_t = -1
    let code = unsafe program.withCString { path in
      unsafe clinux_spawn(&pid, path, &actions, &words, cenvironment_all())
    }
    return code == 0 ? pid : -1
  }

  /// Nothing secret: other users may see them.
  private var arguments: [String] {
    var words = [program, "--application", prompting.application, "--reason", prompting.reason]
    if let title = prompting.cancelTitle, !title.utf8.isEmpty { words += ["--cancel-title", title] }
    if !prompting.offersFallback { words += ["--no-fallback"] }
    if let title = prompting.fallbackTitle, !title.utf8.isEmpty { words += ["--fallback-title", title] }
    return words
  }
}
