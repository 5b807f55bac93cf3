import SignetWire

/// signetd's prompts in words.
enum PromptWords {
  static func of(_ prompt: Prompt, value: UInt8, detail: String) -> String {
    switch prompt {
    case .touchReader: value == 1 ? "Swipe your finger across the reader" : "Touch the fingerprint reader"
    case .notRecognised: "Not recognised, \(value) \(value == 1 ? "attempt" : "attempts") left"
    case .scanAgain: "Scan again: " + advice(ScanRetry(rawValue: value) ?? .general)
    case .locked: "Fingerprints are locked: enter your passcode"
    case .readerBusy: detail.isEmpty ? "The reader is in use" : "The reader is in use by " + Printable.text(detail)
    case .readerUnavailable: "No fingerprint reader"
    case .timedOut: "No finger came in time"
    case .noAttemptsLeft: "Not recognised, no attempts left"
    }
  }

  /// What to do better after a poor scan.
  static func advice(_ retry: ScanRetry) -> String {
    switch retry {
    case .general: "the scan was poor"
    case .tooShort: "too short"
    case .centerFinger: "centre your finger"
    case .removeFinger: "lift your finger first"
    case .tooFast: "too fast"
    }
  }
}
