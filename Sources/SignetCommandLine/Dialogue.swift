import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

/// Follows a request: what signetd shows goes to the progress line, and the passcode, where signetd asks for it, comes from
/// the terminal.
struct Dialogue: ~Copyable {
  /// What stands before everything that is shown; may be empty.
  private let title: String
  /// Whether the request allows the passcode in the place of a finger.
  private let offersPasscode: Bool
  private var key = EnterKey()
  private var line = ProgressLine()
  /// The stages of enrolling so far, once there are any.
  private var completed = 0
  private var all = 0

  init(title: String = "", offersPasscode: Bool = false) {
    self.title = title
    self.offersPasscode = offersPasscode
  }

  /// Returns when signetd has done what it was asked; throws the refusal otherwise.
  mutating func follow(_ exchange: inout Exchange) throws(CommandFailure) {
    guard try next(&exchange) == .done else { throw .unexpectedReply }
  }

  /// The next reply that is not for the user; `nil` for a part of a value, which is the exchange's packet. Throws refusals.
  mutating func next(_ exchange: inout Exchange) throws(CommandFailure) -> AdministrationReply? {
    defer {
      key.release()
      line.end()
    }
    while true {
      guard let reply = try exchange.nextOrValue(watching: &key) else { return nil }
      switch reply {
      case .heartbeat: continue
      case .show(let prompt, let value, let detail):
        if prompt == .touchReader, offersPasscode, line.isOnTerminal { key.watch() }
        show(PromptWords.of(prompt, value: value, detail: Array(detail.utf8).span, enterAsksPasscode: key.descriptor >= 0))
      case .enrollStage(let completed, let all, let retry):
        (self.completed, self.all) = (Int(completed), Int(all))
        show(retry.map(PromptWords.advice) ?? (completed < all ? "Lift the finger, then put it on again" : ""))
      case .askPasscode(let reason): try answer(reason, &exchange)
      case .refused(let refusal): throw CommandFailure(refusal)
      case .done, .askValue, .finger, .status, .reader, .session, .event, .item, .vault, .vaultProblem: return reply
      }
    }
  }

  private mutating func show(_ advice: String) {
    let text = all > 0 ? ProgressLine.stages(completed: completed, of: all, advice: advice) : advice
    line.show(title.isEmpty ? text : "\(title): \(text)")
  }

  private mutating func answer(_ reason: PasscodeReason, _ exchange: inout Exchange) throws(CommandFailure) {
    key.release()
    line.end()
    guard let terminal = TerminalQuestion(), var answer = SecretBytes(capacity: FieldLimit.passcode + 2) else {
      throw CommandFailure(.refused, "the passcode is needed, and there is no terminal to ask it on. Run it in a terminal.")
    }
    let question = reason == .oldPasscode ? "Old passcode: " : "Passcode: "
    let outcome = try terminal.ask(question, .hidden, into: &answer) { input throws(CommandFailure) in
      try exchange.awaitInput(on: input)
    }
    switch outcome {
    case .answered:
      try exchange.send { packet throws(FormatError) in
        try PasscodeRequest(passcode: answer.span.extracting(droppingLast: 1)).write(into: &packet)
      }
    case .declined:
      try? exchange.send { packet throws(FormatError) in try packet.begin(RequestKind.cancel.rawValue) }
      throw CommandFailure(.refused, "no passcode was given. Nothing was changed.")
    case .tooLong: throw CommandFailure(.refused, "this passcode is longer than 512 bytes. Nothing was changed.")
    case .overtaken:
      if case .refused(let refusal) = try exchange.parsed() { throw CommandFailure(refusal) }
      throw .unexpectedReply
    }
  }
}
