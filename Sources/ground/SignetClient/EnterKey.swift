import CLinux

/// The Enter key of the controlling terminal while a finger is waited for: it asks for the passcode instead.
///
/// What is typed meanwhile is not shown, and thrown away: it may be a passcode that was typed too early. The rules of `QuietTerminal`
/// hold; whoever watches it calls `release()` in the end.
public struct EnterKey: ~Copyable {
  private var terminal = QuietTerminal()

  public init() {}

  /// For poll(2); -1 where nothing is watched.
  public var descriptor: Int32 { terminal.descriptor }

  public mutating func watch() { _ = terminal.take() }

  public mutating func release() { terminal.giveBack() }

  /// Reads what poll(2) announced; true where the user pressed Enter or Ctrl-D.
  public mutating func isPressed(_ events: Int16) -> Bool {
    guard Int32(events) & (POLLHUP | POLLERR | POLLNVAL) == 0, terminal.isReadable() else {
      terminal.lose()
      return false
    }
    var typed = InlineArray<256, UInt8>(repeating: 0)
    var span = typed.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { buffer in unsafe read(descriptor, buffer.baseAddress, buffer.count) }
    // It may be a passcode that was typed too early.
    defer { unsafe span.withUnsafeMutableBytes { buffer in unsafe wipe(buffer) } }
    if count < 0 {
      if clinux_errno() != EAGAIN && clinux_errno() != EINTR { terminal.lose() }
      return false
    }
    // With whole lines, as nearly always, poll(2) announces those and Ctrl-D (no bytes) only.
    if terminal.hasWholeLines { return true }
    var index = 0
    while index < min(count, 256) {
      if span[index] == 10 || span[index] == 13 || span[index] == 4 { return true }
      index &+= 1
    }
    return false
  }
}

private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
}
