import CLinux

/// The Enter key of the controlling terminal while a finger is waited for: it asks for the passcode instead. Esc, where it is watched,
/// and Ctrl-D end the waiting, for those who look at the difference.
///
/// What is typed meanwhile is not shown, and thrown away: it may be a passcode that was typed too early. The rules of `QuietTerminal`
/// hold; whoever watches it calls `release()` in the end.
public struct EnterKey: ~Copyable {
  private var terminal = QuietTerminal()
  private var heedsEscape = false

  public init() {}

  /// For poll(2); -1 where nothing is watched.
  public var descriptor: Int32 { terminal.descriptor }

  /// `heedsEscape`: whether Esc is watched, too.
  public mutating func watch(heedsEscape: Bool = false) {
    self.heedsEscape = heedsEscape
    _ = terminal.take(linesEndAtEscape: heedsEscape)
  }

  public enum Key: Equatable, Sendable { case none, enter, end }

  public mutating func release() { terminal.giveBack() }

  /// Reads what poll(2) announced; true where the user pressed Enter or Ctrl-D.
  public mutating func isPressed(_ events: Int16) -> Bool { pressed(events) != .none }

  /// Reads what poll(2) announced; which of the keys was the first in it.
  public mutating func pressed(_ events: Int16) -> Key {
    guard Int32(events) & (POLLHUP | POLLERR | POLLNVAL) == 0, terminal.isReadable() else {
      terminal.lose()
      return .none
    }
    var typed = InlineArray<256, UInt8>(repeating: 0)
    var span = typed.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { buffer in unsafe read(descriptor, buffer.baseAddress, buffer.count) }
    // It may be a passcode that was typed too early.
    defer { unsafe span.withUnsafeMutableBytes { buffer in unsafe wipe(buffer) } }
    if count < 0 {
      if clinux_errno() != EAGAIN && clinux_errno() != EINTR { terminal.lose() }
      return .none
    }
    var index = 0
    while index < min(count, 256) {
      if span[index] == 10 || span[index] == 13 { return .enter }
      if span[index] == 4 || heedsEscape && span[index] == 27 { return .end }
      index &+= 1
    }
    // With whole lines, as nearly always, poll(2) announces those and Ctrl-D, behind which nothing is, only.
    return terminal.hasWholeLines ? count == 256 ? .enter : .end : .none
  }
}

private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
}
