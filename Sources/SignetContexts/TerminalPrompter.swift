import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWords
#endif

/// Shows and asks on a terminal. From the first prompt to the request's end signals are held back and what is typed is not shown;
/// both are the program's again then.
struct TerminalPrompter: ~Copyable, ContextHost {
  private let prompting: Prompting
  private let terminal: Int32
  private var held: HeldSignals?
  private var enterKey = EnterKey()
  /// The terminal's settings while the passcode is asked for.
  private var before: termios?

  /// Takes the descriptor; -1 for a terminal that is never used.
  init(_ prompting: Prompting, on terminal: Int32) {
    self.prompting = prompting
    self.terminal = terminal
  }

  deinit {
    if var before { _ = unsafe tcsetattr(terminal, TCSAFLUSH, &before) }
    if terminal >= 0 { _ = close(terminal) }
  }

  var canInteract: Bool { true }

  var signals: Int32 {
    switch held {
    case .some(let held): held.descriptor
    case nil: -1
    }
  }

  var keys: Int32 { before == nil ? enterKey.descriptor : terminal }

  func signalEffect() -> HeldSignals.Effect {
    switch held {
    case .some(let held): held.look()
    case nil: .nothing
    }
  }

  /// Stops in here, with the terminal as the program left it.
  mutating func suspend() {
    let (isAsking, isWatching) = (before != nil, enterKey.descriptor >= 0)
    enterKey.release()
    restore()
    // What was held back is delivered, and stops the process until it is continued.
    held = nil
    held = HeldSignals()
    if isWatching { enterKey.watch() }
    if isAsking { askQuestion() }
  }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    open()
    var line = TextLine()
    PromptText.write(prompt, value: value, detail: detail, enterAsksPasscode: enterKey.descriptor >= 0, into: &line)
    line.put(UInt8(ascii: "\n"))
    write(line.span)
  }

  mutating func offerFallback() {
    if prompting.offersFallback { enterKey.watch() }
  }

  mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer {
    open()
    enterKey.release()
    askQuestion()
    return before == nil ? .impossible : .nothing
  }

  mutating func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer {
    guard events != 0 else { return .nothing }
    guard before != nil else { return enterKey.isPressed(events) ? .fallback : .nothing }
    let count = unsafe passcode.replace { buffer in
      let count = unsafe read(terminal, buffer.baseAddress, buffer.count)
      // The line's end is no part of the passcode; a line without one was cut.
      guard count > 0, unsafe buffer[count &- 1] == UInt8(ascii: "\n") else { return -1 }
      return count &- 1
    }
    restore()
    write(TextLine("\n").span)
    return count > 0 ? .passcode : .declined
  }

  mutating func finish() {
    enterKey.release(unlessChanged: true)
    if before != nil {
      restore()
      write(TextLine("\n").span)
    }
    held = nil
  }

  /// Takes signals and says who asks, before the first prompt.
  private mutating func open() {
    guard signals < 0 else { return }
    held = HeldSignals()
    var line = TextLine()
    line.put(foreign: prompting.application)
    if !prompting.application.utf8.isEmpty { line.put(": ") }
    line.put(foreign: prompting.reason)
    if line.count > 0 { line.put(UInt8(ascii: "\n")) }
    write(line.span)
  }

  /// TCSAFLUSH drops what was typed before the question: it was meant for somebody else.
  private mutating func askQuestion() {
    var mode = termios()
    guard unsafe tcgetattr(terminal, &mode) == 0 else { return }
    let saved = mode
    mode.c_lflag |= tcflag_t(truncatingIfNeeded: ICANON | ISIG)
    mode.c_lflag &= ~tcflag_t(truncatingIfNeeded: ECHO | ECHONL)
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &mode) == 0 else { return }
    before = saved
    write(TextLine("Passcode: ").span)
  }

  private mutating func restore() {
    guard var mode = before else { return }
    before = nil
    _ = unsafe tcsetattr(terminal, TCSAFLUSH, &mode)
  }

  private func write(_ text: Span<UInt8>) {
    _ = unsafe text.withUnsafeBytes { bytes in unsafe CLinux.write(terminal, bytes.baseAddress, bytes.count) }
  }
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
