#if !hasFeature(Embedded)
  import SignetLanguage
  import SignetWords
#endif

/// The command line: `--application NAME --reason TEXT [--cancel-title T] [--fallback-title T] [--no-fallback]`. All of it is
/// others' words, and shown harmless and short.
struct PromptArguments: Equatable {
  var application = ""
  var reason = ""
  var cancelTitle = DesktopText.cancel
  var fallbackTitle = DesktopText.enterPasscode
  /// Whether the user may go to the passcode after a miss.
  var offersFallback = true

  struct Refusal: Error, Equatable { var explanation: String }

  init() {}

  init(parsing words: [String]) throws(Refusal) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--no-fallback" {
        offersFallback = false
        continue
      }
      guard let value = rest.popFirst() else { throw Refusal(explanation: say("\(word) needs a value")) }
      switch word {
      case "--application": application = DesktopText.shown(value, limit: DesktopText.applicationLimit)
      case "--reason": reason = DesktopText.shown(value, limit: DesktopText.reasonLimit)
      case "--cancel-title": cancelTitle = PromptArguments.button(value, else: DesktopText.cancel)
      case "--fallback-title": fallbackTitle = PromptArguments.button(value, else: DesktopText.enterPasscode)
      default: throw Refusal(explanation: say("unknown argument \(word)"))
      }
    }
  }

  /// A button without words would be none.
  private static func button(_ text: String, else usual: String) -> String {
    let shown = DesktopText.shown(text, limit: DesktopText.buttonLimit)
    return shown.isEmpty ? usual : shown
  }
}
