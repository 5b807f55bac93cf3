import Glibc
import SignetBytes
import SignetClient
import SignetContexts
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire

/// A host that answers from a list, and what it was told.
final class ScriptedHost: ContextHost {
  var canInteract = true
  /// What is answered to each question, in order: a passcode, or `nil` to give up.
  var passcodes: [String?] = []
  /// Called at each prompt.
  var whenShown: (Prompt) -> Void = { _ in }
  private(set) var told: [String] = []
  private var fallbackAfterMiss: Interrupter?

  /// Asks for the passcode as soon as that is offered.
  func fallsBack(by interrupter: Interrupter) { fallbackAfterMiss = interrupter }

  func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    let detail = String(decoding: Array(copying: detail), as: UTF8.self)
    told.append("\(prompt) \(value)\(detail.isEmpty ? "" : " \(detail)")")
    whenShown(prompt)
  }

  func offerFallback() {
    told.append("offer")
    fallbackAfterMiss?.tellOfAnswer()
  }

  func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer {
    told.append("ask \(reason)")
    guard !passcodes.isEmpty else { return .impossible }
    guard let answer = passcodes.removeFirst() else { return .declined }
    return passcode.append(Array(answer.utf8).span) ? .passcode : .impossible
  }

  func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer { .fallback }

  func finish() { told.append("finish") }
}

/// signetd's packets to an application, as bytes.
extension Packet {
  static func policy(_ verdict: Verdict, _ biometry: BiometryKind, _ state: [UInt8] = []) -> [UInt8] {
    bytes { packet in try PolicyRow(verdict, biometry, domainState: state.span).write(into: &packet) }
  }

  static var askValue: [UInt8] { [PacketLimit.version, ReplyKind.askValue.rawValue] }

  static func biometry(_ state: BiometryState, _ verdict: Verdict) -> [UInt8] {
    bytes { packet in try BiometryRow(state, .none, verdict, domainState: [UInt8]().span).write(into: &packet) }
  }
}
