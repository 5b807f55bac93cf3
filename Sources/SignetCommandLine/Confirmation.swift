import SignetClient
import SignetMemory

/// A question whose answer is a word.
enum Confirmation {
  /// Whether the user typed one of the words that say yes.
  static func ask(_ question: String, wanted words: [String]) throws(CommandFailure) -> Bool {
    let held = HeldSignals()
    var answer = try orExhausted(SecretBytes(capacity: 4096))
    guard let question = TerminalQuestion(question, .shown), try question.answer(into: &answer, held) == .answered else {
      return false
    }
    let line = String(decoding: Array(copying: answer.span.extracting(droppingLast: 1)), as: UTF8.self)
    return words.contains(line.lowercased())
  }
}
