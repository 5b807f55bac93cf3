import SignetContexts
import SignetMemory

/// A question whose answer is a word.
enum Confirmation {
  /// Whether the user typed one of the words that say yes.
  static func ask(_ question: String, wanted words: [String]) throws(CommandFailure) -> Bool {
    var answer = try orExhausted(SecretBytes(capacity: 4096))
    guard try TerminalQuestion.ask(question, .shown, into: &answer) == .line else { return false }
    let line = String(decoding: Array(copying: answer.span.extracting(droppingLast: 1)), as: UTF8.self)
    return words.contains(line.lowercased())
  }
}
