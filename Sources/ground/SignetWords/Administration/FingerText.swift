import SignetLanguage
import SignetVocabulary

/// What fingers are called.
public enum FingerText {
  /// In the user's language. In English it is what is typed, too.
  public static func name(_ finger: Finger) -> String {
    let words = spoken(finger)
    return words == finger.name.split(separator: "-").joined(separator: " ") ? finger.name : words
  }

  /// The same with what is typed behind it, where that is another word.
  public static func listed(_ finger: Finger) -> String {
    let words = name(finger)
    return words == finger.name ? words : "\(words) (\(finger.name))"
  }

  /// `right index finger`.
  public static func spoken(_ finger: Finger) -> String {
    switch finger {
    case .leftThumb: say("left thumb")
    case .leftIndexFinger: say("left index finger")
    case .leftMiddleFinger: say("left middle finger")
    case .leftRingFinger: say("left ring finger")
    case .leftLittleFinger: say("left little finger")
    case .rightThumb: say("right thumb")
    case .rightIndexFinger: say("right index finger")
    case .rightMiddleFinger: say("right middle finger")
    case .rightRingFinger: say("right ring finger")
    case .rightLittleFinger: say("right little finger")
    }
  }
}
