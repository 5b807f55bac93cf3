import CLinux
import Glibc
import SignetMemory

/// A question on the controlling terminal.
///
/// The terminal, not standard input: a passcode in a pipe or a file is one that is kept somewhere.
struct TerminalQuestion: ~Copyable {
  /// Whether the answer is shown as it is typed.
  enum Answer { case hidden, shown }

  enum Outcome {
    case answered
    /// End of file, or an empty line.
    case declined
    case tooLong
    /// The question is pointless meanwhile.
    case overtaken
  }

  /// What ends the wait for an answer, besides a signal that ends the command.
  enum Wake {
    /// The terminal can be read.
    case input
    /// The user pressed the suspend key.
    case suspend
    /// As `Outcome.overtaken`.
    case overtaken
  }

  private let terminal: Int32
  private let before: termios

  /// `nil` where the process has no terminal.
  init?() {
    terminal = unsafe clinux_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
    var before = termios()
    guard terminal >= 0, unsafe tcgetattr(terminal, &before) == 0 else {
      self.before = before
      return nil
    }
    self.before = before
  }

  deinit { if terminal >= 0 { _ = close(terminal) } }

  /// Asks once, for a line of two bytes less than the answer can hold, and puts it there with the newline that ended it.
  ///
  /// The echo is off before the question appears and on again when this returns or throws, also before a suspend or an
  /// interrupt takes effect.
  func ask(
    _ question: String, _ kind: Answer, into answer: inout SecretBytes, waiting: (Int32) throws(CommandFailure) -> Wake
  ) throws(CommandFailure) -> Outcome {
    prepare(kind)
    write(question)
    defer {
      restore()
      if kind == .hidden { write("\n") }
    }
    while true {
      switch try waiting(terminal) {
      case .input: return readLine(into: &answer)
      case .overtaken: return .overtaken
      case .suspend:
        restore()
        Interrupts.suspend()
        prepare(kind)
        write(question)
      }
    }
  }

  private func readLine(into answer: inout SecretBytes) -> Outcome {
    let count = unsafe answer.replace { buffer in unsafe read(terminal, buffer.baseAddress, buffer.count) }
    guard count > 0, answer.span[count - 1] == UInt8(ascii: "\n") else {
      let isTooLong = count == answer.capacity
      answer.removeAll()
      return isTooLong ? .tooLong : .declined
    }
    if count == 1 { return .declined }
    return count < answer.capacity ? .answered : .tooLong
  }

  /// TCSAFLUSH drops what was typed before the question: it was meant for somebody else.
  private func prepare(_ kind: Answer) {
    var mode = before
    mode.c_lflag |= tcflag_t(ICANON | ISIG)
    if kind == .hidden { mode.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &mode)
  }

  private func restore() {
    var mode = before
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &mode)
  }

  private func write(_ text: String) { _ = unsafe Glibc.write(terminal, text, text.utf8.count) }
}
