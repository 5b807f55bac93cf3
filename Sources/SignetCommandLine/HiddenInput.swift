import CLinux
import Glibc
import SignetMemory
import SignetWire

/// A question on the controlling terminal whose answer is not shown.
///
/// The terminal, not standard input: a passcode in a pipe or a file is one that is kept somewhere.
struct HiddenInput: ~Copyable {
  enum Outcome {
    case answered
    /// End of file, or an empty line.
    case declined
    case tooLong
    /// signetd has ended the request meanwhile; its reply is the exchange's packet.
    case overtaken
  }

  private let terminal: Int32
  private let shown: termios

  /// `nil` where the process has no terminal.
  init?() {
    terminal = unsafe clinux_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
    var shown = termios()
    guard terminal >= 0, unsafe tcgetattr(terminal, &shown) == 0 else {
      self.shown = shown
      return nil
    }
    self.shown = shown
  }

  deinit { if terminal >= 0 { _ = close(terminal) } }

  /// Asks once. The echo is off before the question appears and on again when this returns or throws, also before a suspend
  /// or an interrupt takes effect.
  func ask(_ question: String, into answer: inout SecretBytes, during exchange: inout Exchange) throws(CommandFailure) -> Outcome
  {
    hide()
    write(question)
    defer {
      restore()
      write("\n")
    }
    while true {
      switch try exchange.step(input: terminal) {
      case .input: return readLine(into: &answer)
      case .packet: if try exchange.parsed() != .heartbeat { return .overtaken }
      case .suspend:
        restore()
        Interrupts.suspend()
        hide()
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
    return count - 1 <= WireLimit.passcode ? .answered : .tooLong
  }

  /// TCSAFLUSH drops what was typed before the question: it was meant for somebody else.
  private func hide() {
    var hidden = shown
    hidden.c_lflag = (hidden.c_lflag | tcflag_t(ICANON | ISIG)) & ~tcflag_t(ECHO | ECHONL)
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &hidden)
  }

  private func restore() {
    var mode = shown
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &mode)
  }

  private func write(_ text: String) { _ = unsafe Glibc.write(terminal, text, text.utf8.count) }
}
