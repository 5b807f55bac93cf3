import CLinux
import CSignet

/// Shows and asks by the program's callbacks, where it has set them, and else as any program's user is shown and asked.
@safe struct ProgramHost: ~Copyable, ContextHost {
  private let replies: Replies
  private let context: OpaquePointer?
  private let callbacks: signet_prompter?
  private let data: UnsafeMutableRawPointer?
  private let mayInteract: Bool
  private let offersFallback: Bool
  private var mayFallBack = false
  private var other: DefaultPrompter?

  /// Of no request.
  init(_ replies: Replies) {
    self.replies = replies
    unsafe (context, callbacks, data) = (nil, nil, nil)
    (mayInteract, offersFallback) = (false, false)
  }

  init(
    _ replies: Replies, _ context: OpaquePointer, _ prompting: Prompting, _ callbacks: signet_prompter?,
    _ data: UnsafeMutableRawPointer?, mayInteract: Bool
  ) {
    self.replies = replies
    unsafe self.context = context
    self.callbacks = callbacks
    unsafe self.data = data
    self.mayInteract = mayInteract
    offersFallback = prompting.offersFallback
    if callbacks == nil, mayInteract { other = DefaultPrompter(prompting) }
  }

  var canInteract: Bool {
    guard mayInteract else { return false }
    switch other {
    case .some(let other): return other.canInteract
    case nil: return callbacks != nil
    }
  }

  var signals: Int32 {
    switch other {
    case .some(let other): other.signals
    case nil: -1
    }
  }

  var keys: Int32 {
    switch other {
    case .some(let other): other.keys
    case nil: -1
    }
  }

  mutating func signalEffect() -> HeldSignals.Effect { other?.signalEffect() ?? .nothing }

  mutating func suspend() { other?.suspend() }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    other?.show(prompt, value: value, detail: detail)
    guard let show = unsafe callbacks?.show, let context = unsafe context else { return }
    var words = TextLine()
    PromptText.write(prompt, value: value, detail: detail, enterAsksPasscode: false, into: &words)
    var shown = TextLine()
    shown.put(lines: detail)
    let data = unsafe data
    let mayFallBack = mayFallBack
    unsafe words.withCString { words in
      unsafe shown.withCString { detail in
        var told = unsafe signet_prompt(
          code: Int32(prompt.rawValue), value: Int32(value), detail: detail, words: words, may_fall_back: mayFallBack)
        unsafe show(data, context, &told)
      }
    }
  }

  mutating func offerFallback() {
    mayFallBack = offersFallback
    other?.offerFallback()
  }

  mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer {
    if let answer = other?.ask(reason, into: &passcode) { return answer }
    guard let ask = unsafe callbacks?.ask_passcode, let context = unsafe context else { return .impossible }
    let data = unsafe data
    unsafe TextLine("Passcode").withCString { words in
      unsafe TextLine().withCString { detail in
        var told = unsafe signet_prompt(
          code: Int32(SIGNET_PROMPT_PASSCODE), value: Int32(reason.rawValue), detail: detail, words: words, may_fall_back: false)
        unsafe ask(data, context, &told)
      }
    }
    return replies.take(isAsked: true, mayFallBack: false, into: &passcode)
  }

  mutating func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer {
    if events != 0, let answer = other?.answer(events, isAsked: isAsked, into: &passcode) { return answer }
    return replies.take(isAsked: isAsked, mayFallBack: mayFallBack, into: &passcode)
  }

  mutating func handOver(_ connection: Int32) -> HandOver { other?.handOver(connection) ?? .none }

  mutating func takeBack() -> Bool { other?.takeBack() ?? false }

  mutating func endHandOver() { other?.endHandOver() }

  mutating func finish() { other?.finish() }
}

extension TextLine {
  /// Appends lines of others' text, or nothing where a character of it is not to be shown.
  fileprivate mutating func put(lines text: Span<UInt8>) {
    guard text.count <= TextLine.limit else { return }
    var rest = text
    while !rest.isEmpty {
      var length = 0
      while length < rest.count, rest[length] != UInt8(ascii: "\n") { length &+= 1 }
      guard ForeignText.isHarmless(rest.extracting(first: length)) else { return self = TextLine() }
      var index = 0
      while index < length {
        put(rest[index])
        index &+= 1
      }
      guard length < rest.count else { return }
      put(UInt8(ascii: "\n"))
      rest = rest.extracting(droppingFirst: length &+ 1)
    }
  }
}
