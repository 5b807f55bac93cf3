import CLinux

/// The Enter key of the controlling terminal while a finger is waited for: it asks for the passcode instead.
///
/// What is typed meanwhile is not shown, and thrown away: it may be a passcode that was typed too early. Without a terminal,
/// or in the background, every call does nothing. Whoever watches it calls `release()` in the end. Signals must be held back meanwhile (`HeldSignals`): a process that dies
/// here would leave the terminal without echo.
public struct EnterKey: ~Copyable {
  private var terminal: Int32 = -1
  private var saved = termios()
  private var quiet = termios()
  private var isWatched = false
  private var wasTried = false
  private var group: pid_t = 0

  public init() {}

  /// For poll(2); -1 where nothing is watched.
  public var descriptor: Int32 { isWatched ? terminal : -1 }

  /// Switches the echo off. What was typed before is thrown away, as any program does that asks for a password.
  public mutating func watch() {
    guard !isWatched, open(), isInForeground else { return }
    guard unsafe tcgetattr(terminal, &saved) == 0 else { return }
    quiet = saved
    quiet.c_lflag &= ~tcflag_t(truncatingIfNeeded: ECHO | ECHONL)
    _ = tcflush(terminal, TCIFLUSH)
    // Not TCSAFLUSH, which waits for the output to drain: a stopped terminal would hold the login.
    isWatched = unsafe tcsetattr(terminal, TCSANOW, &quiet) == 0
  }

  /// Throws away what was typed, so that it reaches neither a passcode prompt nor the shell, and switches the echo back.
  ///
  /// - Parameter unlessChanged: whether another program, a pager behind a pipe, may have the terminal by now and keep it.
  public mutating func release(unlessChanged: Bool = false) {
    guard isWatched else { return }
    isWatched = false
    // In the background the shell has put its own settings there, and changing them would stop the process.
    guard isInForeground else { return }
    var now = quiet
    if unlessChanged, unsafe tcgetattr(terminal, &now) != 0 || now.c_lflag != quiet.c_lflag { return }
    _ = unsafe tcsetattr(terminal, TCSANOW, &saved)
    _ = tcflush(terminal, TCIFLUSH)
  }

  /// Reads what poll(2) announced; true where the user pressed Enter or Ctrl-D.
  public mutating func isPressed(_ events: Int16) -> Bool {
    guard isWatched else { return false }
    let isGone = Int32(events) & (POLLHUP | POLLERR | POLLNVAL) != 0
    guard !isGone, isInForeground else {
      isWatched = false
      return false
    }
    var typed = InlineArray<256, UInt8>(repeating: 0)
    var span = typed.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { buffer in unsafe read(terminal, buffer.baseAddress, buffer.count) }
    // It may be a passcode that was typed too early.
    defer { unsafe span.withUnsafeMutableBytes { buffer in unsafe wipe(buffer) } }
    if count < 0 {
      if clinux_errno() != EAGAIN && clinux_errno() != EINTR { isWatched = false }
      return false
    }
    // With ICANON, as nearly always, poll(2) announces whole lines and Ctrl-D (no bytes) only.
    if saved.c_lflag & tcflag_t(truncatingIfNeeded: ICANON) != 0 { return true }
    var index = 0
    while index < min(count, 256) {
      if span[index] == 10 || span[index] == 13 || span[index] == 4 { return true }
      index &+= 1
    }
    return false
  }

  private mutating func open() -> Bool {
    guard !wasTried else { return terminal >= 0 }
    wasTried = true
    let path: StaticString = "/dev/tty"
    terminal = unsafe clinux_open(
      UnsafeRawPointer(path.utf8Start).assumingMemoryBound(to: CChar.self), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0)
    group = getpgrp()
    return terminal >= 0
  }

  private var isInForeground: Bool { tcgetpgrp(terminal) == group }

  deinit { if terminal >= 0 { _ = close(terminal) } }
}

private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
}
