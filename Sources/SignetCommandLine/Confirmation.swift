import SignetMemory

/// A question whose answer is a word.
enum Confirmation {
  /// Whether the user typed one of the words that say yes.
  static func ask(_ question: String, wanted words: [String]) throws(CommandFailure) -> Bool {
    guard let terminal = TerminalQuestion() else { return false }
    let interrupts = try orExhausted(Interrupts())
    var answer = try orExhausted(SecretBytes(capacity: 4096))
    let outcome = try terminal.ask(question, .shown, into: &answer) { input throws(CommandFailure) in
      try interrupts.awaitInput(on: input)
    }
    guard outcome == .answered else { return false }
    let line = String(decoding: Array(copying: answer.span.extracting(droppingLast: 1)), as: UTF8.self)
    return words.contains(line.lowercased())
  }
}
