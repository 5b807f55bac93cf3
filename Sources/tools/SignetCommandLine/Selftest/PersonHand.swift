import Glibc
import SignetBytes
import SignetContexts
import SignetMemory
import SignetScenarios
import SignetVocabulary
import SignetWords

/// A person at the terminal, who is asked one thing at a time.
final class PersonHand: Hand {
  let isPerson = true
  let knowsPasscode = true
  private var enrolled = ""

  func perform(_ gesture: Gesture) throws(Stop) {
    switch gesture {
    case .touch(let finger):
      enrolled = FingerText.spoken(finger)
      Report.complain(SelftestText.touch(finger))
    case .touchOther: Report.complain(SelftestText.touchOther(than: enrolled))
    case .touchPoorly: Report.complain(SelftestText.touchPoorly)
    case .unplug: Report.complain(SelftestText.unplug)
    case .suspend: Report.complain(SelftestText.suspend)
    case .plug: _ = try PersonHand.line(SelftestText.plug)
    case .resume: _ = try PersonHand.line(SelftestText.resume)
    case .addReader: _ = try PersonHand.line(SelftestText.add)
    case .removeReader: _ = try PersonHand.line(SelftestText.remove)
    case .freeze, .thaw, .fillStorage, .emptyStorage: throw .cannot(SelftestText.notByHand)
    }
  }

  func enterPasscode(into answer: inout SecretBytes) throws(Stop) {
    let typed = try PersonHand.stopping { () throws(CommandFailure) in
      try TerminalQuestion.ask(QuestionText.passcode(.administration), .hidden, into: &answer)
    }
    guard typed == .line else {
      answer.removeAll()
      throw .cannot(SelftestText.noPasscode)
    }
    answer.removeLast()
  }

  /// What the person typed, without the newline; empty also at the end of the file.
  static func line(_ question: String) throws(Stop) -> String {
    try stopping { () throws(CommandFailure) in
      var answer = try orExhausted(SecretBytes(capacity: 256))
      guard try TerminalQuestion.ask(question, .shown, into: &answer) == .line else { return "" }
      return String(decoding: Array(copying: answer.span.extracting(droppingLast: 1)), as: UTF8.self)
    }
  }

  private static func stopping<Value>(_ body: () throws(CommandFailure) -> Value) throws(Stop) -> Value {
    do throws(CommandFailure) { return try body() } catch {
      guard error.status.rawValue > 128 else { throw .cannot("\(error.message)") }
      throw .interrupted(error.status.rawValue - 128)
    }
  }
}
