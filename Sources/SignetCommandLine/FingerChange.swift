import SignetMemory
import SignetWire

/// Follows an enroll or a delete to its end: progress, guidance, and the passcode where signetd asks for it.
struct FingerChange {
  private let title: String
  private var line = ProgressLine()

  init(title: String) { self.title = title }

  /// Returns when the change is made; throws the refusal otherwise.
  mutating func follow(_ exchange: inout Exchange) throws(CommandFailure) {
    defer { line.end() }
    while true {
      switch try exchange.next() {
      case .heartbeat: continue
      case .show(let prompt, let value, let detail):
        line.show("\(title): \(PromptWords.of(prompt, value: value, detail: detail))")
      case .enrollStage(let completed, let all, let retry):
        let advice = retry.map(PromptWords.advice).map { "scan again: \($0)" } ?? (completed < all ? "lift and touch again" : "")
        line.show("\(title): " + ProgressLine.stages(completed: Int(completed), of: Int(all), advice: advice))
      case .askPasscode: try answerPasscode(&exchange)
      case .done: return
      case .refused(let refusal, let explanation): throw CommandFailure(refusal, explanation: explanation)
      case .finger, .status, .reader, .session: throw CommandFailure(.noHelper, "signetd answered something else. Restart it.")
      }
    }
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
      throw CommandFailure(.noHelper, "signetd went on without the passcode. Restart it.")
    }
  }
}
