#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// A conversation with pinentry about one question, as a state machine without I/O: bytes go in, what to do comes out.
struct PinentryConversation: ~Copyable {
  enum Step: Equatable {
    /// Nothing, until the next line.
    case wait
    /// Write this line.
    case send(String)
    /// The conversation is over.
    case end(PinentryAnswer)
  }

  private var commands: ArraySlice<PinentryCommand>
  /// The command that is to be answered; `nil` before the greeting.
  private var current: PinentryCommand?
  private var lines = 0
  private var line: AssuanLine
  /// What was typed.
  private(set) var secret: SecretBytes

  init(_ question: PinentryQuestion, options: [String]) throws(AssuanError) {
    let line = try AssuanLine()
    guard let secret = SecretBytes(capacity: AssuanLimit.data) else { throw .exhausted }
    self.line = line
    self.secret = secret
    commands = question.commands(options: options)[...]
  }

  /// The next byte that pinentry said.
  mutating func take(_ byte: UInt8) throws(AssuanError) -> Step {
    guard try line.take(byte) else { return .wait }
    lines += 1
    guard lines <= AssuanLimit.linesOfAnswer else { throw .tooLong }
    let reply = try AssuanReply(in: line, data: &secret)
    line.clear()
    switch reply {
    case .note: return .wait
    case .data:
      // Only what answers the last command has any.
      guard current != nil, commands.isEmpty else { throw .malformed }
      return .wait
    case .inquiry: throw .malformed
    case .ok: return next()
    case .error(let number):
      guard let current else { return .end(.unavailable) }
      guard !commands.isEmpty else { return .end(PinentryConversation.refusal(number)) }
      return current.mayFail ? next() : .end(.unavailable)
    }
  }

  private mutating func next() -> Step {
    guard let command = commands.popFirst() else { return .end(.confirmed) }
    lines = 0
    current = command
    return .send(command.line)
  }

  private static func refusal(_ number: UInt32) -> PinentryAnswer {
    let code = AssuanErrorCode.code(number)
    return AssuanErrorCode.cancelled.contains(code) || code == AssuanErrorCode.notConfirmed ? .cancelled : .unavailable
  }

  /// Gives what was typed away.
  consuming func takeSecret() -> SecretBytes { secret }
}

/// How a question ended.
public enum PinentryAnswer: Equatable, Sendable {
  /// The user typed the answer, or chose the button `ok`.
  case confirmed
  /// The user chose the other button, or closed the window.
  case cancelled
  /// pinentry is not there, has no screen, or does not speak the protocol: nobody was asked, or nobody could answer.
  case unavailable
}
