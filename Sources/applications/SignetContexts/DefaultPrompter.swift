import CLinux

#if !hasFeature(Embedded)
  import SignetClient
  import SignetMemory
  import SignetVocabulary
#endif

/// Shows and asks for a program that does not do so itself: on the terminal in whose foreground it is, else on the desktop, else
/// nowhere.
public struct DefaultPrompter: ~Copyable {
  private enum Way { case terminal, desktop, none }

  private let way: Way
  /// Used by its own way only, as is the next.
  private var terminal: TerminalPrompter
  private var desktop: DesktopPrompter

  /// Looks for a way once, now.
  public init(_ prompting: Prompting) {
    let descriptor = ProgramEnvironment.openForegroundTerminal()
    let program = descriptor < 0 && ProgramEnvironment.hasDesktop ? ProgramEnvironment.prompt : nil
    way = descriptor >= 0 ? .terminal : program != nil ? .desktop : .none
    terminal = TerminalPrompter(prompting, on: descriptor)
    desktop = DesktopPrompter(prompting, by: program ?? "")
  }
}

extension DefaultPrompter: ContextHost {
  public var canInteract: Bool { way != .none }

  public var signals: Int32 { way == .terminal ? terminal.signals : -1 }

  public var keys: Int32 { way == .terminal ? terminal.keys : -1 }

  public mutating func signalEffect() -> HeldSignals.Effect { terminal.signalEffect() }

  public mutating func suspend() { terminal.suspend() }

  public mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    if way == .terminal { terminal.show(prompt, value: value, detail: detail) }
  }

  public mutating func offerFallback() {
    if way == .terminal { terminal.offerFallback() }
  }

  public mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer {
    way == .terminal ? terminal.ask(reason, into: &passcode) : .impossible
  }

  public mutating func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer {
    way == .terminal ? terminal.answer(events, isAsked: isAsked, into: &passcode) : .nothing
  }

  public mutating func handOver(_ connection: Int32) -> HandOver {
    switch way {
    case .terminal: .none
    case .desktop: desktop.handOver(connection)
    case .none: .impossible
    }
  }

  public mutating func takeBack() -> Bool { way == .desktop && desktop.takeBack() }

  public mutating func endHandOver() {
    if way == .desktop { desktop.endHandOver() }
  }

  public mutating func finish() {
    switch way {
    case .terminal: terminal.finish()
    case .desktop: desktop.finish()
    case .none: break
    }
  }
}
