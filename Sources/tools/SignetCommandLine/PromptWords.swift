import SignetBytes
import SignetClient
import SignetVocabulary
import SignetWords

/// signetd's prompts in words: `PromptText`'s, as strings.
enum PromptWords {
  static func of(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>, enterAsksPasscode: Bool = false) -> String {
    var line = TextLine()
    PromptText.write(prompt, value: value, detail: detail, enterAsksPasscode: enterAsksPasscode, into: &line)
    return String(copying: line)
  }

  /// What to do better after a poor scan.
  static func advice(_ retry: ScanRetry) -> String { String(translated: PromptText.scanAgain(retry)) }
}
