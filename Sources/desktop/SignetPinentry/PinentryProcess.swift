import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// A running pinentry, and the pipes to it. Both are gone with the object.
package final class PinentryProcess {
  /// What it says; does not block.
  package let output: Int32
  private let input: Int32
  private var pid: pid_t = 0
  private let terminal: SavedTerminal?

  /// Starts it with this environment and nothing else of ours: only the two pipes, no signal ignored or blocked.
  ///
  /// - Parameter terminal: whose settings are put back at the end; `nil` for none.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String], terminal: String?
  ) throws(AssuanError) {
    var (towards, back): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    // Sockets, so that writing to one whose reader has gone is an error and no signal.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &towards) == 0 else { throw .exhausted }
    defer { close(towards[0]) }
    guard unsafe socketpair(AF_UNIX, kind, 0, &back) == 0 else {
      close(towards[1])
      throw .exhausted
    }
    defer { close(back[1]) }
    (input, output) = (towards[1], back[0])
    self.terminal = terminal.flatMap(SavedTerminal.init)
    pid = try PinentryProcess.start([program] + arguments, environment, towards[0], back[1])
  }

  deinit {
    end()
    close(input)
    close(output)
  }

  private static func start(
    _ command: [String], _ environment: [String], _ input: Int32, _ output: Int32
  ) throws(AssuanError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    // Ours may be 0 and 1 themselves where the caller left those closed: a copy is never one of them.
    let (from, to) = (clinux_duplicate(input, 3), clinux_duplicate(output, 3))
    defer {
      close(from)
      close(to)
    }
    guard from >= 0, to >= 0 else { throw .exhausted }
    _ = unsafe posix_spawn_file_actions_adddup2(&actions, from, 0)
    _ = unsafe posix_spawn_file_actions_adddup2(&actions, to, 1)
    _ = unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    _ = unsafe clinux_spawn_close_from(&actions, 3)
    var words = unsafe command.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var pid: pid_t = 0
    guard unsafe clinux_spawn(&pid, command[0], &actions, &words, &variables) == 0 else { throw .ended }
    return pid
  }

  /// The next byte that it said; `nil` where there is none yet.
  package func readByte() throws(AssuanError) -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = unsafe recv(output, &byte, 1, Int32(MSG_DONTWAIT))
      if count == 1 { return byte }
      guard count < 0, errno == EAGAIN || errno == EINTR else { throw .ended }
      if errno == EAGAIN { return nil }
    }
  }

  /// A command is short, so one that does not fit at once goes to somebody who does not read.
  func write(_ text: String) throws(AssuanError) { try write(Array(text.utf8).span) }

  package func write(_ bytes: Span<UInt8>) throws(AssuanError) {
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let sent = unsafe bytes.withUnsafeBytes { bytes in unsafe send(input, bytes.baseAddress, bytes.count, flags) }
    guard sent == bytes.count else { throw .ended }
  }

  /// Ends it, gently first: its window is gone when this returns, and the terminal as it was.
  package func end() {
    guard pid > 0 else { return }
    kill(pid, SIGTERM)
    let handle = pidfd_open(pid, 0)
    var ended = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    let isGone = unsafe handle >= 0 && poll(&ended, 1, 100) == 1
    if !isGone { kill(pid, SIGKILL) }
    if handle >= 0 { close(handle) }
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    pid = 0
    terminal?.restore()
  }
}

/// A terminal's settings before somebody else got it: a pinentry that is ended in the middle of a question leaves it without echo.
private final class SavedTerminal {
  private let terminal: Int32
  private var settings = termios()

  /// `nil` where it cannot be opened, or is none.
  init?(_ path: String) {
    terminal = unsafe clinux_open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0)
    guard terminal >= 0 else { return nil }
    guard unsafe tcgetattr(terminal, &settings) == 0 else {
      close(terminal)
      return nil
    }
  }

  deinit { close(terminal) }

  func restore() {
    // In the background the shell has put its own settings there, and changing them would stop the process.
    guard tcgetpgrp(terminal) == getpgrp() else { return }
    _ = unsafe tcsetattr(terminal, TCSANOW, &settings)
  }
}
