import Glibc
import SignetClient
import SignetMemory
import SignetPinentry
import SignetWords

/// Asking the user by pinentry. Signals that end this process end the question first: a window, or a terminal without echo, must
/// not outlive it.
enum Question {
  enum Answer: ~Copyable {
    case typed(SecretBytes)
    case cancelled
    /// Nobody could be asked.
    case impossible
  }

  /// Asks, until the user answers.
  static func ask(_ question: PinentryQuestion) -> Answer {
    let held = HeldSignals()
    guard let program = PinentryProgram.path(), var pinentry = try? Pinentry(question, program: program) else {
      return .impossible
    }
    while true {
      if let answer = pinentry.step() {
        switch answer {
        case .confirmed: return .typed(pinentry.takeSecret())
        case .cancelled: return .cancelled
        case .unavailable: return .impossible
        }
      }
      var ready = [pinentry.descriptor, held.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&ready, nfds_t(ready.count), -1)
      // Both are put in order as they go out of scope, pinentry first; the signal then does what it does.
      if ready[1].revents != 0 { return .cancelled }
    }
  }

  /// A question in others' words.
  static func about(_ words: String, _ kind: PinentryQuestion.Kind) -> PinentryQuestion {
    var question = PinentryQuestion(kind)
    question.title = DesktopText.title
    // ssh asks about a host's key in several lines.
    question.description = words.split(separator: "\n").prefix(12).map { DesktopText.shown(String($0), limit: 256) }
      .joined(separator: "\n")
    return question
  }
}
