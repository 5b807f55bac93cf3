#if !hasFeature(Embedded)
  import SignetPinentry
  import SignetWords
#endif

/// What the user is shown while a finger is waited for: a notification, or a window of pinentry's where there are none.
struct Card: Equatable {
  enum Button: String, CaseIterable { case cancel, passcode }

  var summary: String
  var lines: [String]
  /// The words of the buttons; the second is there after a miss.
  var cancel: String
  var passcode: String?

  /// The text below the summary. Where the server takes it for markup (the specification of desktop notifications, "Markup"), what
  /// others wrote must not be any.
  func body(isMarkup: Bool) -> String {
    let text = lines.joined(separator: "\n")
    return isMarkup ? Card.escaped(text) : text
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      default: result.append(character)
      }
    }
  }

  /// A name and words for each button, in turns.
  var actions: [String] {
    [Button.cancel.rawValue, cancel] + (passcode.map { [Button.passcode.rawValue, $0] } ?? [])
  }

  /// The same as a question of pinentry's: one button, which cancels, or two.
  var question: PinentryQuestion {
    var question = PinentryQuestion(passcode == nil ? .message : .confirmation)
    question.title = DesktopText.title
    question.description = ([summary] + lines).joined(separator: "\n")
    question.ok = passcode ?? cancel
    question.cancel = passcode == nil ? "" : cancel
    return question
  }
}
