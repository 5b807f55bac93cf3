import CLinux
import Glibc
import SignetMemory

/// The Enter key while a finger is waited for: it asks for the passcode instead.
///
/// What is typed meanwhile is not shown, and thrown away: it may be a passcode that was typed too early. Without a terminal,
/// or in the background, nothing is watched.
struct EnterKey: ~Copyable {
  private var terminal: Int32 = -1
  private var before = termios()
  private var during = termios()

  /// For poll(2); -1 where nothing is watched.
  var descriptor: Int32 { terminal }

  deinit { if terminal >= 0 { _ = close(terminal) } }

  /// Switches the echo off, and throws away what was typed before, as any program does that asks for a password.
  mutating func watch() {
    guard terminal < 0 else { return }
    let terminal = unsafe clinux_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
    guard terminal >= 0 else { return }
    guard tcgetpgrp(terminal) == getpgrp(), unsafe tcgetattr(terminal, &before) == 0 else {
      _ = close(terminal)
      return
    }
    during = before
    during.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &during)
    self.terminal = terminal
  }

  /// Throws away what was typed, and switches the echo back, unless another program has changed the terminal since: a pager
  /// behind the pipe.
  mutating func release() {
    guard terminal >= 0 else { return }
    var now = termios()
    if tcgetpgrp(terminal) == getpgrp(), unsafe tcgetattr(terminal, &now) == 0, now.c_lflag == during.c_lflag {
      _ = unsafe tcsetattr(terminal, TCSAFLUSH, &before)
    }
    _ = close(terminal)
    terminal = -1
  }

  /// Reads what poll(2) announced; true where it is Enter or Ctrl-D.
  mutating func isPressed() -> Bool {
    guard terminal >= 0, var typed = SecretBytes(capacity: 4096) else { return false }
    let count = unsafe typed.replace { buffer in unsafe read(terminal, buffer.baseAddress, buffer.count) }
    guard count >= 0, tcgetpgrp(terminal) == getpgrp() else {
      release()
      return false
    }
    // poll(2) announces whole lines and Ctrl-D only, where the terminal is in its usual mode.
    if before.c_lflag & tcflag_t(ICANON) != 0 { return true }
    for index in 0..<typed.count where [4, 10, 13].contains(typed.span[index]) { return true }
    return false
  }
}
