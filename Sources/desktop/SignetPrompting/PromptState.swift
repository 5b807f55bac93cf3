#if !hasFeature(Embedded)
  import SignetBytes
  import SignetPinentry
  import SignetVocabulary
  import SignetWords
#endif

/// What the user sees and is asked while a request is pending, as a state machine without I/O: events go in, what to do comes
/// out. A finger is waited for by signetd all the time, so whatever shows a notification never holds it up.
struct PromptState {
  enum Event: Equatable {
    /// Whether there is somebody who shows notifications; known a moment after the start.
    case notifications(areThere: Bool)
    case show(Prompt, value: UInt8, detail: [UInt8])
    case passcodeWanted(PasscodeReason)
    /// The user chose a button of the notification.
    case chosen(Card.Button)
    /// The user closed the notification.
    case dismissed
    case answered(PinentryAnswer)
    /// What was typed is no passcode: nothing, or too much.
    case notAPasscode(isEmpty: Bool)
    /// signetd said something for the caller, or nothing any more.
    case over
    /// The caller does not wait any more.
    case callerGone
  }

  enum Action: Equatable {
    /// Show this in the place of what the notification shows.
    case notify(Card)
    case withdraw
    /// Run pinentry with this question, in the place of the one that it is asking.
    case ask(PinentryQuestion)
    /// Send a request without fields.
    case send(RequestKind)
    /// Send what was typed, if it can be a passcode.
    case sendPasscode
    case end(PromptStatus)
  }

  private enum Screen { case unknown, notifications, pinentry }
  private enum Question { case none, button, passcode }

  private let arguments: PromptArguments
  private var screen = Screen.unknown
  private var question = Question.none
  private var shown: Card?
  /// Who wants what of whom, for the whole request.
  private var consent = ""
  /// What went wrong last.
  private var note = ""
  /// What the user is to do with the reader; empty where no finger is waited for.
  private var instruction = ""
  private var offersPasscode = false
  private var mayFallBack: Bool
  /// Answers in a row that were no passcode.
  private var useless = 0
  private var isOver = false

  /// So many, and the user is taken to have given up.
  private static let uselessLimit = 3

  init(_ arguments: PromptArguments) {
    self.arguments = arguments
    mayFallBack = arguments.offersFallback
  }

  mutating func take(_ event: Event) -> [Action] {
    guard !isOver else { return [] }
    switch event {
    case .notifications(let areThere):
      screen = areThere ? .notifications : .pinentry
      shown = nil
      return refresh()
    case .show(let prompt, let value, let detail): return show(prompt, value, detail)
    case .passcodeWanted: return askPasscode(note)
    case .chosen(.cancel), .dismissed: return cancel()
    case .chosen(.passcode): return fallBack()
    case .answered(let answer): return take(answer)
    case .notAPasscode(let isEmpty): return askAgain(isEmpty ? DesktopText.noPasscode : DesktopText.passcodeTooLong)
    case .over, .callerGone: return end(.handedBack)
    }
  }

  // MARK: signetd

  private mutating func show(_ prompt: Prompt, _ value: UInt8, _ detail: [UInt8]) -> [Action] {
    let words = PromptState.words(prompt, value, detail)
    switch prompt {
    case .touchReader: instruction = words
    case .consent: consent = words
    case .notRecognised:
      note = words
      offersPasscode = mayFallBack
    case .scanAgain: note = words
    case .locked, .readerBusy, .readerUnavailable, .timedOut, .noAttemptsLeft, .passcodeDelayed, .wrongPasscode,
      .passcodeNotEnough:
      note = words
      instruction = ""
    }
    return refresh()
  }

  private static func words(_ prompt: Prompt, _ value: UInt8, _ detail: [UInt8]) -> String {
    var line = TextLine()
    PromptText.write(prompt, value: value, detail: detail.span, enterAsksPasscode: false, into: &line)
    return line.withCString { String(cString: $0) }
  }

  /// Brings what is shown up to date, where a finger is waited for.
  private mutating func refresh() -> [Action] {
    guard question != .passcode, !instruction.isEmpty else { return [] }
    let card = Card(
      summary: DesktopText.wantsFinger(arguments.application),
      lines: [arguments.reason, consent, note, instruction].filter { !$0.isEmpty },
      cancel: arguments.cancelTitle, passcode: offersPasscode ? arguments.fallbackTitle : nil)
    guard card != shown, screen != .unknown else { return [] }
    shown = card
    guard screen == .pinentry else { return [.notify(card)] }
    question = .button
    return [.ask(card.question)]
  }

  // MARK: The user

  private mutating func askPasscode(_ error: String) -> [Action] {
    let withdrawal: [Action] = shown != nil && screen == .notifications ? [.withdraw] : []
    (question, shown, instruction, note) = (.passcode, nil, "", "")
    var asked = PinentryQuestion(.secret)
    asked.title = DesktopText.title
    asked.description = [DesktopText.wantsPasscode(arguments.application), arguments.reason, consent]
      .filter { !$0.isEmpty }.joined(separator: "\n")
    asked.prompt = DesktopText.passcode
    asked.error = error
    asked.cancel = arguments.cancelTitle
    return withdrawal + [.ask(asked)]
  }

  private mutating func askAgain(_ error: String) -> [Action] {
    useless += 1
    return useless < PromptState.uselessLimit ? askPasscode(error) : cancel()
  }

  private mutating func take(_ answer: PinentryAnswer) -> [Action] {
    let asked = question
    question = .none
    switch (asked, answer) {
    case (.none, _): return []
    case (_, .unavailable): return end(.nobodyToAsk)
    case (_, .cancelled): return cancel()
    case (.passcode, .confirmed): return [.sendPasscode]
    // Before a miss its only button is the one that cancels.
    case (.button, .confirmed): return offersPasscode ? fallBack() : cancel()
    }
  }

  private mutating func fallBack() -> [Action] {
    guard offersPasscode else { return [] }
    (offersPasscode, mayFallBack) = (false, false)
    let withdrawal: [Action] = screen == .notifications ? [.withdraw] : []
    // What comes now is signetd's question, or the end.
    (shown, instruction) = (nil, "")
    return withdrawal + [.send(.fallback)]
  }

  private mutating func cancel() -> [Action] { [.send(.cancel)] + end(.handedBack) }

  private mutating func end(_ status: PromptStatus) -> [Action] {
    isOver = true
    return [.end(status)]
  }
}

/// How signet-prompt ends; signet-prompt(8) documents the numbers.
public enum PromptStatus: Int32, Sendable {
  /// What there is to read from signetd is the caller's.
  case handedBack = 0
  /// A bad command line, or descriptors that are none of ours.
  case misused = 1
  /// Neither a notification nor pinentry: nobody can be shown or asked anything.
  case nobodyToAsk = 2
}
