import Glibc
import SignetMemory
import SignetPinentry
import SignetVocabulary
import SignetWords

/// Answers one prompt on standard output, as ssh(1), sudo(8) and others expect it of `SSH_ASKPASS` and `SUDO_ASKPASS`: a line, or
/// another exit status than 0.
struct Askpass {
  let words: String
  let prompt: AskersPrompt
  let asker: AskersPrompt.AskingProgram

  init(_ words: String) {
    self.words = words
    asker = .parent()
    prompt = AskersPrompt(words, hint: Variables.value("SSH_ASKPASS_PROMPT"), asker: asker)
  }

  func run() -> AskpassStatus {
    switch prompt {
    case .kept(let name): answer(name)
    case .typed: answerTyped()
    case .confirmation: confirm()
    case .notice: notice()
    case .yesOrNo: answerYesOrNo()
    }
  }

  private func answer(_ name: ItemName) -> AskpassStatus {
    switch OwnerVault(application: asker.name).read(name) {
    case .released(let value): print(value)
    case .cancelled: .refused
    case .nothing: answerTyped()
    }
  }

  private func answerTyped() -> AskpassStatus {
    hideMemory()
    var question = Question.about(words, .secret)
    question.prompt = AskpassText.passphrase
    switch Question.ask(question) {
    case .typed(let value): return print(value)
    case .cancelled: return .refused
    case .impossible: return nobody()
    }
  }

  private func confirm() -> AskpassStatus {
    var question = Question.about(words, .confirmation)
    (question.ok, question.cancel) = (AskpassText.allow, AskpassText.deny)
    switch Question.ask(question) {
    case .typed: return .done
    case .cancelled: return .refused
    case .impossible: return nobody()
    }
  }

  /// ssh ends this process when it is over. Where nobody can be shown anything that is no reason to fail.
  private func notice() -> AskpassStatus {
    var question = Question.about(words, .message)
    question.ok = AskpassText.close
    _ = Question.ask(question)
    return .done
  }

  private func answerYesOrNo() -> AskpassStatus {
    var question = Question.about(words, .confirmation)
    (question.ok, question.cancel) = (AskpassText.yes, AskpassText.no)
    switch Question.ask(question) {
    case .typed: return Output.write("yes\n") ? .done : .refused
    case .cancelled: return Output.write("no\n") ? .done : .refused
    case .impossible: return nobody()
    }
  }

  private func nobody() -> AskpassStatus {
    Output.complain(AskpassText.nobodyToAsk)
    return .refused
  }

  /// Prints what may be one line. A newline at its end is the line's; one within it would make ssh take a part for the whole.
  private func print(_ value: borrowing SecretBytes) -> AskpassStatus {
    let count = value.count
    let line = count > 0 && value.span[count - 1] == 10 ? value.span.extracting(first: count - 1) : value.span
    guard !line.indices.contains(where: { [0, 10, 13].contains(line[$0]) }) else {
      Output.complain(AskpassText.notOneLine)
      return .refused
    }
    return Output.write(line) && Output.write("\n") ? .done : .refused
  }
}

/// How it ends; signet-askpass(1) documents the numbers.
public enum AskpassStatus: Int32, Sendable {
  case done = 0
  /// No answer: the user said no or gave up, or nobody could be asked.
  case refused = 1
  case usage = 2
}

/// Standard output and error.
enum Output {
  /// All of it; false where nobody reads it any more.
  static func write(_ bytes: Span<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  static func write(_ text: String) -> Bool { write(Array(text.utf8).span) }

  static func complain(_ text: String, fit: Fit = { text, _ in text }) {
    let line = fit("signet-askpass: \(text)", STDERR_FILENO) + "\n"
    _ = unsafe Glibc.write(STDERR_FILENO, line, line.utf8.count)
  }
}
