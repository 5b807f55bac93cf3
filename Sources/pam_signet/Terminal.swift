import CLinux

/// The host's controlling terminal while a finger is waited for: what is typed is not shown, and thrown away; the Enter
/// key asks for the passcode.
///
/// Without a terminal, or in the background, every call does nothing. Signals must be blocked meanwhile (`Interruption`):
/// a host that dies here would leave the terminal without echo.
struct Terminal: ~Copyable {
  private var descriptor: Int32 = -1
  private var saved = termios()
  private var isTaken = false
  private var wasTried = false
  private var group: pid_t = 0

  /// For poll(2); -1 where nothing is watched.
  var watched: Int32 { isTaken ? descriptor : -1 }

  /// Switches the echo off. What was typed before is thrown away, as any program does that asks for a password.
  mutating func take() {
    guard !isTaken, open(), isInForeground else { return }
    guard unsafe tcgetattr(descriptor, &saved) == 0 else { return }
    var quiet = saved
    quiet.c_lflag &= ~tcflag_t(truncatingIfNeeded: ECHO | ECHONL)
    _ = tcflush(descriptor, TCIFLUSH)
    // Not TCSAFLUSH, which waits for the output to drain: a stopped terminal would hold the login.
    isTaken = unsafe tcsetattr(descriptor, TCSANOW, &quiet) == 0
  }

  /// Throws away what was typed, so that it reaches neither a passcode prompt nor the shell, and switches the echo back.
  mutating func restore() {
    guard isTaken else { return }
    isTaken = false
    // In the background the shell has put its own settings there, and changing them would stop the host.
    guard isInForeground else { return }
    _ = unsafe tcsetattr(descriptor, TCSANOW, &saved)
    _ = tcflush(descriptor, TCIFLUSH)
  }

  /// Reads what poll(2) announced; true where the user pressed Enter or Ctrl-D.
  mutating func readKeys(_ events: Int16) -> Bool {
    guard isTaken else { return false }
    let isGone = Int32(events) & (POLLHUP | POLLERR | POLLNVAL) != 0
    guard !isGone, isInForeground else {
      isTaken = false
      return false
    }
    var typed = InlineArray<256, UInt8>(repeating: 0)
    var span = typed.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { buffer in unsafe read(descriptor, buffer.baseAddress, buffer.count) }
    // It may be a passcode that was typed too early.
    defer { unsafe span.withUnsafeMutableBytes { buffer in unsafe wipe(buffer) } }
    if count < 0 {
      if clinux_errno() != EAGAIN && clinux_errno() != EINTR { isTaken = false }
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
    guard !wasTried else { return descriptor >= 0 }
    wasTried = true
    descriptor = unsafe clinux_open(c("/dev/tty"), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0)
    group = getpgrp()
    return descriptor >= 0
  }

  private var isInForeground: Bool { tcgetpgrp(descriptor) == group }

  deinit {
    if isTaken, tcgetpgrp(descriptor) == group {
      var before = saved
      _ = unsafe tcsetattr(descriptor, TCSANOW, &before)
      _ = tcflush(descriptor, TCIFLUSH)
    }
    if descriptor >= 0 { _ = close(descriptor) }
  }
}

private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
}
