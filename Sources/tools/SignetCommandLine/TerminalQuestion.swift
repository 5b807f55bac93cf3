import CLinux
import Glibc
import SignetBytes
import SignetClient
import SignetContexts
import SignetMemory

/// A question on the controlling terminal, there for as long as the value lives.
///
/// The terminal, not standard input: a passcode in a pipe or a file is one that is kept somewhere.
struct TerminalQuestion: ~Copyable {
  /// Whether the answer is shown as it is typed.
  enum Answer { case hidden, shown }

  /// For poll(2): readable once a line was typed.
  let terminal: Int32
  private let question: String
  private let kind: Answer
  private let before: termios

  /// Switches the echo off, where the answer is hidden, and asks. `nil` where the process has no terminal.
  init?(_ question: String, _ kind: Answer) {
    self.question = question
    self.kind = kind
    terminal = ProgramEnvironment.openTerminal()
    var before = termios()
    let isTerminal = unsafe terminal >= 0 && tcgetattr(terminal, &before) == 0
    self.before = before
    guard isTerminal else { return nil }
    ask()
  }

  deinit {
    guard terminal >= 0 else { return }
    restore()
    if kind == .hidden { write("\n") }
    _ = close(terminal)
  }

  /// Asks while nothing is asked of signetd: for a line of two bytes less than the answer can hold, which comes with the newline
  /// that ended it. `nil` where the process has no terminal.
  static func ask(_ text: String, _ kind: Answer, into answer: inout SecretBytes) throws(CommandFailure) -> TypedLine? {
    let held = HeldSignals()
    guard let question = TerminalQuestion(text, kind) else { return nil }
    while true {
      var ready = [held.descriptor, question.terminal].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&ready, nfds_t(ready.count), -1)
      if ready[0].revents != 0, let signal = held.take() {
        guard signal == SIGTSTP else { throw CommandFailure.interrupted(by: signal) }
        question.suspend()
      } else if ready[1].revents != 0 {
        let typed = question.take(into: &answer)
        if typed != .nothing { return typed }
      }
    }
  }

  /// Stops the process with the terminal as it was, and asks again.
  borrowing func suspend() {
    restore()
    suspendProcess()
    ask()
  }

  /// Takes the line that was typed.
  func take(into answer: inout SecretBytes) -> TypedLine { TypedLine.take(from: terminal, into: &answer) }

  /// TCSAFLUSH drops what was typed before the question: it was meant for somebody else.
  private func ask() {
    var mode = before
    mode.c_lflag |= tcflag_t(ICANON | ISIG)
    if kind == .hidden { mode.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &mode)
    write(question)
  }

  private func restore() {
    var mode = before
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &mode)
  }

  private func write(_ text: String) {
    TypedLine.show(Array(Report.broken(text, for: terminal).utf8).span, on: terminal)
  }
}
