import SignetMemory
import SignetScenarios
import SignetTestKit
import SignetVocabulary

/// The hand of a recording: its finger comes by itself. What it is a finger of depends on the templates that signetd has.
final class RecordedHand: Hand {
  enum Finger { case enrolled, nobodys, tooLittle }

  private let finger: Finger

  init(_ finger: Finger) { self.finger = finger }

  let isPerson = false
  let knowsPasscode = true

  func enterPasscode(into answer: inout SecretBytes) throws(Stop) {
    guard answer.append(RunningDaemon.passcode.utf8.span) else { throw .cannot("the passcode is too long") }
  }

  func perform(_ gesture: Gesture) throws(Stop) {
    switch gesture {
    case .touch where finger == .enrolled, .touchOther where finger == .nobodys, .touchPoorly where finger == .tooLittle: return
    case .touch, .touchOther, .touchPoorly: throw .cannot("the recording has no such touch")
    case .unplug, .plug: throw .cannot("a replayed reader cannot be pulled out")
    case .freeze, .thaw: throw .cannot("a replay cannot be frozen at a byte")
    case .suspend, .resume: throw .cannot("a recording's finger is there before the sleep is")
    case .fillStorage, .emptyStorage: throw .cannot("the recorded reader had room")
    case .addReader, .removeReader: throw .cannot("a recording holds one reader")
    }
  }
}
