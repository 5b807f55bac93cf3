package import SignetClient
package import SignetContexts
import SignetCoreFoundation
package import SignetMemory
package import SignetVocabulary

/// Shows and asks for an `LAContext` or the keychain, as for any program without callbacks of its own, and knows whether it had to.
package struct OwnerPrompt: ContextHost, ~Copyable {
  private var prompter: DefaultPrompter
  private let mayAsk: Bool
  /// Until the passcode was asked for in place of a finger, for what only the passcode proves: how that is said.
  private var passcodeFirst: Interrupter?
  /// Whether the owner was shown or asked anything.
  package private(set) var wasUsed = false {
    didSet { if !oldValue { whenUsed?() } }
  }
  /// Called when the owner is shown or asked something for the first time.
  var whenUsed: (() -> Void)?

  /// - Parameter prompting: what the owner is told, in the program's words. An empty reason says that the program asks for an item.
  package init(_ prompting: Prompting, mayAsk: Bool = true) {
    prompter = DefaultPrompter(prompting)
    self.mayAsk = mayAsk
  }

  /// No finger is asked for.
  package mutating func askPasscodeFirst(_ interrupter: Interrupter) { passcodeFirst = interrupter }

  package var canInteract: Bool { mayAsk && prompter.canInteract }
  package var signals: Int32 { prompter.signals }
  package var keys: Int32 { prompter.keys }
  package mutating func signalEffect() -> HeldSignals.Effect { prompter.signalEffect() }
  package mutating func suspend() { prompter.suspend() }
  package mutating func offerFallback() { prompter.offerFallback() }

  package mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    wasUsed = true
    // Has `answer` asked at once.
    if let passcodeFirst { return passcodeFirst.tellOfAnswer() }
    prompter.show(prompt, value: value, detail: detail)
  }

  package mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer {
    (wasUsed, passcodeFirst) = (true, nil)
    return prompter.ask(reason, into: &passcode)
  }

  package mutating func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer {
    if passcodeFirst != nil, !isAsked { return .fallback }
    return prompter.answer(events, isAsked: isAsked, into: &passcode)
  }

  package mutating func handOver(_ connection: Int32) -> HandOver {
    wasUsed = true
    return passcodeFirst == nil ? prompter.handOver(connection) : .none
  }

  package mutating func takeBack() -> Bool { prompter.takeBack() }
  package mutating func endHandOver() { prompter.endHandOver() }
  package mutating func finish() { prompter.finish() }
}

extension Prompting {
  /// By this program.
  package init(reason: String) { self.init(application: Prompting.program, reason: reason) }

  package static let program = ProcessInfo.processInfo.processName
}
