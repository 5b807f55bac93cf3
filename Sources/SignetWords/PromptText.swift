#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// The words for what signetd shows: the one place, for the module and the command line.
public enum PromptText {
  /// Whether a prompt tells of something that went wrong, rather than what to do.
  public static func isError(_ prompt: Prompt) -> Bool { prompt != .touchReader }

  /// Appends the words for a prompt.
  ///
  /// - Parameters:
  ///   - value: as `Prompt` describes it; unknown values get the general words.
  ///   - detail: as `Prompt` describes it; left out where it is not printable.
  ///   - enterAsksPasscode: whether the caller watches a terminal for the Enter key.
  public static func write(
    _ prompt: Prompt, value: UInt8, detail: Span<UInt8>, enterAsksPasscode: Bool, into line: inout TextLine
  ) {
    switch prompt {
    case .touchReader:
      line.put(value == 1 ? "Swipe your finger across the fingerprint reader" : "Touch the fingerprint reader")
      if enterAsksPasscode { line.put(" (press Enter for the passcode)") }
    case .notRecognised: miss(left: value, into: &line)
    case .scanAgain: line.put(scanAgain(ScanRetry(rawValue: value)))
    case .locked: line.put(locked(LockReason(rawValue: value)))
    case .readerBusy:
      line.put("The fingerprint reader is in use")
      var holder = TextLine(" by ")
      if holder.put(foreign: detail) { _ = line.put(foreign: holder.span) }
    case .readerUnavailable:
      line.put(
        value == 1
          ? "The fingerprint reader is too hot; it works again when it has cooled down"
          : "The fingerprint reader is not available")
    case .timedOut: line.put("No finger was seen in time")
    case .passcodeDelayed: delayed(minutes: value, into: &line)
    case .noAttemptsLeft: line.put("No fingerprint attempts left. Enter your passcode.")
    }
  }

  private static func miss(left: UInt8, into line: inout TextLine) {
    line.put("Fingerprint not recognised")
    guard left > 0 else { return }
    line.put(", ")
    line.put(Int(left))
    line.put(left == 1 ? " attempt left" : " attempts left")
  }

  /// Why no finger is asked for.
  private static func locked(_ reason: LockReason?) -> StaticString {
    switch reason {
    case .strikes: "Fingerprints are locked after too many attempts. Enter your passcode."
    case .stateUnusable: "Fingerprints cannot be used before your passcode. Enter your passcode."
    case .restart: "Your passcode is required after a restart"
    case .inactivity: "Your passcode is required after a long time without an unlock"
    case .passcodeAge: "Your passcode is required from time to time"
    case .requested: "Your passcode is required: fingerprints were locked on request"
    case .fingersChanged: "Your passcode is required: the enrolled fingers changed"
    case .vaultClosed: "Your passcode is required to open your vault"
    case .some(.none), nil: "Your passcode is required"
    }
  }

  private static func delayed(minutes: UInt8, into line: inout TextLine) {
    line.put("Too many wrong passcodes. Try again ")
    guard minutes > 0 else { return line.put("later") }
    line.put("in ")
    line.put(Int(minutes))
    line.put(minutes == 1 ? " minute" : " minutes")
  }

  /// What to do better, for a poor scan. Also said while enrolling.
  public static func scanAgain(_ retry: ScanRetry?) -> StaticString {
    switch retry {
    case .tooShort: "Scan again: the touch was too short"
    case .centerFinger: "Scan again: put the middle of the finger on the reader"
    case .removeFinger: "Scan again: lift the finger first"
    case .tooFast: "Scan again: the finger moved too fast"
    case .general, nil: "Scan again"
    }
  }
}
