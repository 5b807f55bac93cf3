#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// The words for what signetd shows: the one place, for the module and the command line.
public enum PromptText {
  /// Whether a prompt tells of something that went wrong, rather than what to do. That nobody touched the reader is no failure: windows
  /// count those.
  public static func isError(_ prompt: Prompt) -> Bool {
    switch prompt {
    case .touchReader, .consent, .timedOut: false
    default: true
    }
  }

  /// For a login that ended before anybody was recognised, through nobody's fault.
  public static var systemCancel: StaticString { "Cancelled: the machine goes to sleep, or signetd ends" }

  #if !hasFeature(Embedded)
    /// For who takes no passcode (`signet verify`): instead of words that ask for one.
    public static func withoutPasscode(_ prompt: Prompt, value: UInt8) -> StaticString? {
      switch (prompt, LockReason(rawValue: value)) {
      case (.noAttemptsLeft, _): "No fingerprint attempts left"
      case (.locked, .strikes): "Fingerprints are locked after too many attempts"
      case (.locked, .stateUnusable): "Fingerprints cannot be used before your passcode"
      default: nil
      }
    }
  #endif

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
      touch(value, enterAsksPasscode, into: &line)
      _ = line.put(": #", foreign: detail)
    case .notRecognised: miss(left: value, into: &line)
    case .scanAgain: line.say(scanAgain(ScanRetry(rawValue: value)))
    case .locked: line.say(LockText.prompt(LockReason(rawValue: value)))
    case .readerBusy:
      if !line.say("The fingerprint reader is in use by #", foreign: detail) { line.say("The fingerprint reader is in use") }
    case .readerUnavailable:
      switch value {
      case UnavailableForm.tooHot: line.say("The fingerprint reader is too hot; it works again when it has cooled down")
      case UnavailableForm.lidClosed: line.say("The fingerprint reader is not used while the lid is closed")
      // Never by the name that the program has given itself: it could be a sentence that makes somebody type a password.
      case UnavailableForm.heldByOther: line.say("The fingerprint reader is held by another program")
      case UnavailableForm.otherName: line.say("Your fingers were enrolled as somebody else: see `signet list`")
      case UnavailableForm.noUsableFinger: line.say("Your enrolled fingers cannot be used: see `signet list`")
      case UnavailableForm.noRoom: line.say("No finger can be taken: the disk is full or cannot be written")
      default: line.say("The fingerprint reader is not available")
      }
    case .timedOut: line.say("No finger was seen in time")
    case .passcodeDelayed: delayed(value, into: &line)
    case .noAttemptsLeft where value == 0: line.say("No fingerprint attempts left. Enter your passcode.")
    case .noAttemptsLeft: line.say("No fingerprint attempts left")
    case .wrongPasscode: wrongPasscode(left: value, into: &line)
    case .consent: consent(detail, into: &line)
    case .passcodeNotEnough: line.say("More than the passcode is asked for here, so it was not checked")
    }
  }

  /// The prompt that a finger or a passcode ends. `value`: of `touchReader`.
  public static func either(_ value: UInt8) -> TextLine {
    var line = TextLine()
    let isSwipe = value & TouchForm.swipe != 0
    let finger = namedFinger(TouchForm.finger(in: value))
    if isSwipe, line.say("Swipe your # or enter your passcode: ", foreign: finger.span) { return line }
    if !isSwipe, line.say("Touch the reader with your # or enter your passcode: ", foreign: finger.span) { return line }
    if isSwipe {
      line.say("Swipe your finger or enter your passcode: ")
    } else {
      line.say("Touch the reader or enter your passcode: ")
    }
    return line
  }

  /// The prompt that takes a passcode alone.
  public static var passcode: TextLine {
    var line = TextLine()
    line.say("Passcode: ")
    return line
  }

  private static func touch(_ value: UInt8, _ enterAsksPasscode: Bool, into line: inout TextLine) {
    let isSwipe = value & TouchForm.swipe != 0
    let enterAsksPasscode = enterAsksPasscode && value & TouchForm.alone == 0
    if touch(with: namedFinger(TouchForm.finger(in: value)), isSwipe, enterAsksPasscode, into: &line) { return }
    switch (isSwipe, enterAsksPasscode) {
    case (false, false): line.say("Touch the fingerprint reader")
    case (false, true): line.say("Touch the fingerprint reader (press Enter for the passcode)")
    case (true, false): line.say("Swipe your finger across the fingerprint reader")
    case (true, true): line.say("Swipe your finger across the fingerprint reader (press Enter for the passcode)")
    }
  }

  /// False where the finger has no name.
  private static func touch(
    with finger: borrowing TextLine, _ isSwipe: Bool, _ enterAsksPasscode: Bool, into line: inout TextLine
  ) -> Bool {
    switch (isSwipe, enterAsksPasscode) {
    case (false, false): line.say("Touch the fingerprint reader with your #", foreign: finger.span)
    case (false, true):
      line.say("Touch the fingerprint reader with your # (press Enter for the passcode)", foreign: finger.span)
    case (true, false): line.say("Swipe your # across the fingerprint reader", foreign: finger.span)
    case (true, true): line.say("Swipe your # across the fingerprint reader (press Enter for the passcode)", foreign: finger.span)
    }
  }

  private static func miss(left: UInt8, into line: inout TextLine) {
    switch left {
    case 0: line.say("Fingerprint not recognised")
    default:
      line.say(
        one: "Fingerprint not recognised, # attempt left", many: "Fingerprint not recognised, # attempts left", number: Int(left))
    }
  }

  private static func wrongPasscode(left: UInt8, into line: inout TextLine) {
    switch left {
    case 0: line.say("Wrong passcode")
    default: line.say(one: "Wrong passcode, # attempt left", many: "Wrong passcode, # attempts left", number: Int(left))
    }
  }

  /// Who wants whose secret. Both names or none: half of the sentence would say that somebody else asks.
  private static func consent(_ programs: Span<UInt8>, into line: inout TextLine) {
    var end = 0
    while end >= 0, end < programs.count, programs[end] != UInt8(ascii: "\n") { end &+= 1 }
    var fields = ByteReader(programs)
    do throws(FormatError) {
      let asking = try fields.bytes(end)
      _ = try fields.byte()
      // Not what the span itself would leave of its end: a second place of that kind is a trap in the PAM module.
      let owning = try fields.bytes(programs.count &- end &- 1)
      guard asking.count > 0, owning.count > 0, asking.count &+ owning.count <= 200, ForeignText.isHarmless(owning),
        line.put(foreign: asking), line.say(" wants to use what # stored", foreign: owning)
      else { throw .badValue }
    } catch { line.say("A program wants to use what another one stored") }
  }

  private static func delayed(_ form: UInt8, into line: inout TextLine) {
    let rest = Int(form & ~DelayForm.seconds)
    switch (rest, form & DelayForm.seconds) {
    case (0, _): line.say("Too many wrong passcodes. Try again later")
    case (_, 0):
      line.say(
        one: "Too many wrong passcodes. Try again in # minute", many: "Too many wrong passcodes. Try again in # minutes",
        number: rest)
    default:
      line.say(
        one: "Too many wrong passcodes. Try again in # second", many: "Too many wrong passcodes. Try again in # seconds",
        number: rest)
    }
  }

  /// What to do better, for a poor scan. Also said while enrolling.
  // Inlined for the module, which must see the literals: reading an unknown StaticString may trap.
  @inline(__always)
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
