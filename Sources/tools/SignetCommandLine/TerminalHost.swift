import Glibc
import SignetBytes
import SignetClient
import SignetContexts
import SignetMemory
import SignetVocabulary
import SignetWords

/// The command line's side of a request: the progress line, the key and the question for the passcode, and signals.
struct TerminalHost: ~Copyable {
  let socket: String
  /// What stands before everything that is shown; may be empty.
  private let title: String
  /// What stands above the question for the passcode; may be empty.
  private let reason: String
  private let offersPasscode: Bool
  private let takesPasscode: Bool
  private let held = HeldSignals()
  /// The signal that ended the request.
  private var end: Int32 = 0
  private var enterKey = EnterKey()
  private var question: TerminalQuestion?
  private var line = ProgressLine()
  /// The stages of enrolling so far, once there are any.
  private var completed = 0
  private var all = 0

  /// `offersPasscode`: whether it may come in the place of a finger; `takesPasscode`: whether it may be asked for at all.
  init(socket: String, title: String = "", reason: String = "", offersPasscode: Bool = false, takesPasscode: Bool = true) {
    self.takesPasscode = takesPasscode
    self.socket = socket
    self.title = title
    self.reason = reason
    self.offersPasscode = offersPasscode
  }

  mutating func show(completed: Int, of all: Int, _ retry: ScanRetry?) {
    (self.completed, self.all) = (completed, all)
    show(retry.map(PromptWords.advice) ?? (completed < all ? QuestionText.liftFinger : ""))
  }

  private mutating func show(_ advice: String) {
    let head = title.isEmpty ? "" : "\(title): "
    guard all > 0 else { return line.show(head + advice) }
    line.show(head + ProgressLine.stages(completed: completed, of: all), advice: advice)
  }

  /// Puts the question for the passcode; `takeAnswer` takes the answer once something was typed.
  mutating func ask(_ reason: PasscodeReason) throws(CommandFailure) {
    finish()
    let words = QuestionText.passcode(reason)
    question = TerminalQuestion(self.reason.isEmpty ? words : "\(self.reason)\n\(words)", .hidden)
    if question == nil {
      throw CommandFailure(.refused, ObstacleText.noTerminalForPasscode)
    }
  }

  /// Takes the line that was typed, and the question away.
  mutating func takeAnswer(into answer: inout SecretBytes) -> TypedLine {
    let typed =
      switch question {
      case .some(let question): question.take(into: &answer)
      case nil: TypedLine.empty
      }
    if typed != .nothing { question = nil }
    return typed
  }

  /// Leaves the terminal as it was, with what follows on a new line.
  mutating func finish() {
    enterKey.release()
    line.end()
    question = nil
  }
}

extension TerminalHost: RequestHost {
  var signals: Int32 { held.descriptor }

  var keys: Int32 {
    switch question {
    case .some(let question): question.terminal
    case nil: enterKey.descriptor
    }
  }

  func failure(_ error: ClientError) -> CommandFailure {
    end > 0 ? .interrupted(by: end) : CommandFailure(error, socket: socket)
  }

  mutating func signalEffect() -> HeldSignals.Effect {
    guard let signal = held.take() else { return .nothing }
    if signal == SIGTSTP { return .stop }
    end = signal
    return .end
  }

  mutating func suspend() {
    let isWatched = enterKey.descriptor >= 0
    enterKey.release()
    switch question {
    case .some(let question): question.suspend()
    case nil: suspendProcess()
    }
    if isWatched { enterKey.watch() }
  }

  mutating func isEnterPressed(_ events: Int16) -> Bool {
    guard enterKey.isPressed(events) else { return false }
    enterKey.release()
    return true
  }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    if prompt == .touchReader, offersPasscode, line.isOnTerminal { enterKey.watch() }
    if !takesPasscode, let words = PromptText.withoutPasscode(prompt, value: value) { return show(String(translated: words)) }
    show(PromptWords.of(prompt, value: value, detail: detail, enterAsksPasscode: enterKey.descriptor >= 0))
  }
}

/// Stops the process as the terminal's suspend key asks; returns when it is continued.
func suspendProcess() { _ = raise(SIGSTOP) }
