import SignetMemory
import SignetWire

/// Follows an enroll or a delete to its end: progress, guidance, and the passcode where signetd asks for it.
struct FingerChange {
  private let title: String
  private var line = ProgressLine()
  /// The stages so far, once there are any.
  private var completed = 0
  private var all = 0

  init(title: String) { self.title = title }

  /// Returns when the change is made; throws the refusal otherwise.
  mutating func follow(_ exchange: inout Exchange) throws(CommandFailure) {
    defer { line.end() }
    while true {
      switch try exchange.next() {
      case .heartbeat: continue
      case .show(let prompt, let value, let detail):
        show(PromptWords.of(prompt, value: value, detail: Array(detail.utf8).span))
      case .enrollStage(let completed, let all, let retry):
        (self.completed, self.all) = (Int(completed), Int(all))
        show(retry.map(PromptWords.advice) ?? (completed < all ? "Lift the finger, then put it on again" : ""))
      case .askPasscode: try answerPasscode(&exchange)
      case .done: return
      case .refused(let refusal, let explanation): throw CommandFailure(refusal, explanation: explanation)
      case .finger, .status, .reader, .session, .event, .item, .vault, .vaultProblem, .askValue: throw .unexpectedReply
      }
    }
  }

  private mutating func show(_ advice: String) {
    let text = all > 0 ? ProgressLine.stages(completed: completed, of: all, advice: advice) : advice
    line.show("\(title): \(text)")
  }

  private mutating func answerPasscode(_ exchange: inout Exchange) throws(CommandFailure) {
    line.end()
    guard let terminal = HiddenInput(), var answer = SecretBytes(capacity: WireLimit.passcode + 2) else {
      throw CommandFailure(.refused, "the passcode is needed, and there is no terminal to ask it on. Run it in a terminal.")
    }
    switch try terminal.ask("Passcode: ", into: &answer, during: &exchange) {
    case .answered:
      try exchange.send { packet throws(WireError) in
        try PasscodeRequest(passcode: answer.span.extracting(droppingLast: 1)).write(into: &packet)
      }
    case .declined:
      try? exchange.send { packet throws(WireError) in try packet.begin(RequestKind.cancel.rawValue) }
      throw CommandFailure(.refused, "no passcode was given. Nothing was changed.")
    case .tooLong: throw CommandFailure(.refused, "this passcode is longer than 512 bytes. Nothing was changed.")
    case .overtaken:
      if case .refused(let refusal, let explanation) = try exchange.parsed() {
        throw CommandFailure(refusal, explanation: explanation)
      }
      throw .unexpectedReply
    }
  }
}
