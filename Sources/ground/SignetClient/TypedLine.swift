import CLinux

#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// A line that was typed as an answer on a terminal, which was opened with `O_NONBLOCK`: Ctrl-C and the suspend key take back what
/// poll(2) has announced already, and whoever then waited for another line would not see the signal.
public enum TypedLine: Equatable, Sendable {
  /// None after all.
  case nothing
  case empty
  /// End of file: Ctrl-D, also behind the beginning of a line, or a terminal that was closed.
  case end
  case tooLong
  /// It is in the buffer, and its newline is the last byte.
  case line

  /// Takes what poll(2) announced.
  public static func take(from terminal: Int32, into answer: inout SecretBytes) -> TypedLine {
    var cause: Int32 = 0
    let count = unsafe answer.replace { buffer in
      let count = unsafe read(terminal, buffer.baseAddress, buffer.count)
      if count < 0 { cause = clinux_errno() }
      return count
    }
    if count < 0, cause == EAGAIN || cause == EINTR { return .nothing }
    guard count > 0, answer.last == UInt8(ascii: "\n") else {
      answer.removeAll()
      return count > 0 && count == answer.capacity ? .tooLong : .end
    }
    if count == 1 { return .empty }
    return count < answer.capacity ? .line : .tooLong
  }

  /// Shows a text on such a terminal, which may be slow or stopped: then a second is enough.
  public static func show(_ text: Span<UInt8>, on terminal: Int32) {
    var (start, tries) = (0, 0)
    while start < text.count, tries < 20 {
      let count = unsafe text.withUnsafeBytes { bytes in
        unsafe write(terminal, bytes.baseAddress.map { unsafe $0 + start }, bytes.count &- start)
      }
      if count > 0 {
        start &+= count
        continue
      }
      guard clinux_errno() == EAGAIN || clinux_errno() == EINTR else { return }
      var room = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&room, 1, 50)
      tries &+= 1
    }
  }
}
