import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

/// What an evaluation in a context came to, and what was shown and asked on the way.
public struct ContextAnswer: Equatable, Sendable {
  public enum Event: Equatable, Sendable {
    case show(Prompt, UInt8)
    case passcode(PasscodeReason)
  }

  public var end: EvaluatedReply
  public var events: [Event]

  public init(end: EvaluatedReply, events: [Event] = []) { (self.end, self.events) = (end, events) }
}

/// Whether an evaluation could succeed.
public struct PolicyAnswer: Equatable, Sendable {
  public var verdict: Verdict
  public var biometry: BiometryKind
  public var domainState: [UInt8]

  public init(verdict: Verdict, biometry: BiometryKind, domainState: [UInt8]) {
    (self.verdict, self.biometry, self.domainState) = (verdict, biometry, domainState)
  }
}

/// What a watch says.
public struct WatchedState: Equatable, Sendable {
  public var state: BiometryState
  public var lock: LockReason
  public var verdict: Verdict
  public var domainState: [UInt8]

  public init(state: BiometryState, lock: LockReason, verdict: Verdict, domainState: [UInt8]) {
    (self.state, self.lock, self.verdict, self.domainState) = (state, lock, verdict, domainState)
  }
}

/// An application's connection, without libsignet in between.
extension LoginClient {
  /// Makes the connection a context.
  public func openContext(_ name: String = "test") throws {
    let bytes = Array(name.utf8)
    try send { packet in try ContextRequest(name: bytes.span).write(into: &packet) }
    guard case .done = try nextAdministration() else { throw TestKitError("no context") }
  }

  /// Follows an evaluation to its end. `react` sees each event first, and answers whether it has done what is to be done; what it leaves is
  /// answered by the right passcode.
  public func evaluate(
    _ policy: Policy, reuse: UInt16 = 0, mayInteract: Bool = true, passcode: String = RunningDaemon.passcode,
    _ react: (ContextAnswer.Event) throws -> Bool = { _ in false }
  ) throws -> ContextAnswer {
    try send { packet in
      try EvaluateRequest(policy: policy, timeout: 20, reuse: reuse, mayInteract: mayInteract).write(into: &packet)
    }
    var events: [ContextAnswer.Event] = []
    while true {
      switch try receive(LoginClient.evaluationStep) {
      case .heartbeat: continue
      case .end(let end): return ContextAnswer(end: end, events: events)
      case .event(let event):
        events.append(event)
        if try react(event) { continue }
        if case .passcode = event { try answer(passcode: passcode) }
      }
    }
  }

  private enum Step {
    case heartbeat
    case event(ContextAnswer.Event)
    case end(EvaluatedReply)
  }

  private static func evaluationStep(in packet: borrowing SecretBytes) throws -> Step {
    var fields = ByteReader(packet.span)
    if try fields.header() == ReplyKind.evaluated.rawValue { return .end(try EvaluatedReply(parsing: packet.span)) }
    switch try AdministrationReply(parsing: packet.span) {
    case .heartbeat: return .heartbeat
    case .show(let prompt, let value, _): return .event(.show(prompt, prompt.withoutOrder(value)))
    case .askPasscode(let reason): return .event(.passcode(reason))
    case let other: throw TestKitError("\(other) in an evaluation")
    }
  }

  public func canEvaluate(_ policy: Policy) throws -> PolicyAnswer {
    try send { packet in try CanEvaluateRequest(policy: policy).write(into: &packet) }
    while true {
      if let answer = try receive(LoginClient.policyAnswer) {
        guard case .done = try nextAdministration() else { throw TestKitError("no end of an answer") }
        return answer
      }
    }
  }

  private static func policyAnswer(in packet: borrowing SecretBytes) throws -> PolicyAnswer? {
    if (try? AdministrationReply(parsing: packet.span)) == .heartbeat { return nil }
    let row = try PolicyRow(parsing: packet.span)
    return PolicyAnswer(verdict: row.verdict, biometry: row.biometry, domainState: Array(copying: row.domainState))
  }

  public func forget() throws {
    try send { packet in try ForgetRequest().write(into: &packet) }
    guard case .done = try nextAdministration() else { throw TestKitError("nothing forgotten") }
  }

  public func watch() throws { try send { packet in try WatchRequest().write(into: &packet) } }

  public func watchVault() throws { try send { packet in try WatchVaultRequest().write(into: &packet) } }

  /// The next of what a watch of the vault says.
  public func nextOpening(within limit: Int32 = waitingLimit) throws -> (opening: UInt64, unlock: UInt64, domainState: [UInt8]) {
    try receive(within: limit) { packet in
      let row = try OpeningRow(parsing: packet.span)
      return (row.opening, row.unlock, Array(copying: row.domainState))
    }
  }

  /// The next of what a watch says.
  public func nextState(within limit: Int32 = waitingLimit) throws -> WatchedState {
    try receive(within: limit) { packet in
      let row = try BiometryRow(parsing: packet.span)
      return WatchedState(
        state: row.state, lock: row.lock, verdict: row.verdict, domainState: Array(copying: row.domainState))
    }
  }
}
