import Glibc
import SignetBytes
import SignetClient
import SignetMemory
import SignetWords

/// Writing secrets to standard output: by write(2), because print's buffer is not wiped.
enum SecretOutput {
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes all of it.
  static func write(_ bytes: borrowing Span<UInt8>) throws(CommandFailure) {
    // A reader that has gone is an error to tell of, as a full disk is.
    _ = signal(SIGPIPE, SIG_IGN)
    let isWhole = unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
        if count >= 0 { written += count } else if !CallersDescriptor.isRetried(STDOUT_FILENO, Int16(POLLOUT)) { return false }
      }
      return true
    }
    guard isWhole else {
      throw CommandFailure(.refused, ObstacleText.secretUnwritten(errno))
    }
  }

  /// Writes a value to a terminal, with a newline at its end. One that could drive the terminal is refused rather than
  /// changed: what is shown is exactly the value.
  static func show(_ value: borrowing Span<UInt8>) throws(CommandFailure) {
    guard isShowable(value) else {
      throw CommandFailure(.refused, ObstacleText.unshowable)
    }
    try write(value)
    if value.isEmpty || value[value.count - 1] != UInt8(ascii: "\n") { try write([UInt8(ascii: "\n")].span) }
  }

  /// Whether it is text of printable lines.
  static func isShowable(_ value: borrowing Span<UInt8>) -> Bool {
    var start = 0
    for index in 0...value.count {
      let isEnd = index == value.count || [UInt8(ascii: "\n"), UInt8(ascii: "\t")].contains(value[index])
      if isEnd {
        guard ForeignText.isHarmless(value.extracting(start..<index)) else { return false }
        start = index + 1
      }
    }
    return true
  }

  /// Asks before a secret comes to a screen that others may see.
  static func askToShow() throws(CommandFailure) {
    guard try Confirmation.ask(QuestionText.showSecret, wanted: ["y", "yes"]) else {
      throw CommandFailure(.refused, ObstacleText.notShown)
    }
  }
}

/// A descriptor that the caller of the command chose.
enum CallersDescriptor {
  /// Whether a read or write that failed may go on: it was interrupted, or the descriptor does not block and was waited for.
  static func isRetried(_ descriptor: Int32, _ events: Int16) -> Bool {
    let cause = errno
    if cause == EINTR { return true }
    guard cause == EAGAIN else { return false }
    var ready = pollfd(fd: descriptor, events: events, revents: 0)
    return unsafe poll(&ready, 1, -1) == 1
  }
}
