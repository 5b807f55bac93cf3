import CLinux
import CTerminal

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWords
#endif

/// Shows and asks on a terminal. From the first prompt to the request's end what is typed is not shown, and signals that would end
/// or stop the process are only noted, whichever thread they reach; then both are the program's again.
struct TerminalPrompter: ~Copyable, ContextHost {
  private let prompting: Prompting
  private let terminal: Int32
  /// Of `cterminal_begin`, once something was shown or asked.
  private var noted: Int32 = -1
  private var wasOpened = false
  private var isAsking = false
  private var enterKey = EnterKey()
  private var offersFallback = false

  /// Takes the descriptor; -1 for a terminal that is never used.
  init(_ prompting: Prompting, on terminal: Int32) {
    self.prompting = prompting
    self.terminal = terminal
  }

  deinit {
    if isAsking { cterminal_answered(terminal) }
    if noted >= 0 { cterminal_end(terminal) }
    if terminal >= 0 { _ = close(terminal) }
  }

  var canInteract: Bool { true }

  var signals: Int32 { noted }

  var keys: Int32 { isAsking ? terminal : enterKey.descriptor }

  func signalEffect() -> HeldSignals.Effect {
    switch cterminal_noted() {
    case Int32(CTERMINAL_END): .end
    case Int32(CTERMINAL_STOP): .stop
    default: .nothing
    }
  }

  /// Stops in here, with the terminal as the program left it.
  mutating func suspend() {
    let isWatching = enterKey.descriptor >= 0
    enterKey.release()
    cterminal_stop(terminal)
    if isWatching { enterKey.watch(heedsEscape: true) }
    if isAsking { writeQuestion() }
  }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    open()
    var line = TextLine()
    PromptText.write(
      prompt, value: value, detail: detail, enterAsksPasscode: offersFallback && enterKey.descriptor >= 0, into: &line)
    line.put(UInt8(ascii: "\n"))
    write(line.span)
  }

  mutating func offerFallback() {
    guard prompting.offersFallback else { return }
    // First the signals: a process that ends must not leave the terminal without echo.
    open()
    offersFallback = true
    enterKey.watch(heedsEscape: true)
  }

  mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer {
    open()
    enterKey.release()
    guard noted >= 0, cterminal_ask(terminal) == 0 else { return .impossible }
    isAsking = true
    writeQuestion()
    return .nothing
  }

  mutating func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer {
    guard events != 0 else { return .nothing }
    guard isAsking else {
      return switch enterKey.pressed(events) {
      case .enter: .fallback
      case .end: .declined
      case .none: .nothing
      }
    }
    let typed = TypedLine.take(from: terminal, into: &passcode)
    if typed == .nothing { return .nothing }
    endQuestion()
    guard typed == .line else { return .declined }
    // The line's end is no part of the passcode.
    passcode.removeLast()
    return .passcode
  }

  mutating func finish() {
    enterKey.release()
    if isAsking { endQuestion() }
    guard noted >= 0 else { return }
    noted = -1
    // The process may end in here, by the signal that was noted.
    cterminal_end(terminal)
  }

  /// Takes signals and the echo, and says who asks, before the first prompt.
  private mutating func open() {
    guard !wasOpened else { return }
    wasOpened = true
    noted = cterminal_begin(terminal)
    var line = TextLine()
    line.put(foreign: prompting.application)
    if !prompting.application.utf8.isEmpty, !prompting.reason.utf8.isEmpty { line.put(": ") }
    line.put(foreign: prompting.reason)
    if line.count > 0 { line.put(UInt8(ascii: "\n")) }
    write(line.span)
  }

  private func writeQuestion() {
    let question = PromptText.passcode
    write(question.span)
  }

  private mutating func endQuestion() {
    isAsking = false
    cterminal_answered(terminal)
    write(TextLine("\n").span)
  }

  private func write(_ text: Span<UInt8>) { TypedLine.show(text, on: terminal) }
}

extension TextLine {
  /// Appends what is harmless of a program's text, and as much of it as fits.
  fileprivate mutating func put(foreign text: String) {
    for scalar in text.unicodeScalars where ForeignText.isHarmless(scalar.value) {
      let bytes = UTF8.encode(scalar).map { Array($0) } ?? []
      guard count &+ bytes.count < TextLine.limit &- 2 else { return }
      for byte in bytes { put(byte) }
    }
  }
}
