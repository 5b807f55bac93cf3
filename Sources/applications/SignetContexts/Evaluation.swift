#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// Whether an evaluation could succeed now.
public struct PolicyAnswer: Equatable, Sendable {
  /// `success`: it could. Otherwise how it would end.
  public var verdict: Verdict
  public var biometry: BiometryKind
  /// `FieldLimit.domainState` bytes that change exactly when a finger is added or removed; empty where none is enrolled.
  public var domainState: [UInt8]

  public init(_ verdict: Verdict, _ biometry: BiometryKind = .none, domainState: [UInt8] = []) {
    self.verdict = verdict
    self.biometry = biometry
    self.domainState = domainState
  }
}

extension ContextConnection {
  /// Asks whether an evaluation could succeed. Nothing is shown.
  public mutating func canEvaluate(_ policy: Policy) throws(ContextError) -> PolicyAnswer {
    try begin(ContextConnection.terms) { packet throws(FormatError) in
      try CanEvaluateRequest(policy: policy).write(into: &packet)
    }
    var host = SilentHost()
    var answer: PolicyAnswer?
    while true {
      switch try next(&host) {
      case .reply(.row): answer = try policyRow()
      case .reply(.done):
        guard let answer else { throw .client(.malformed) }
        return answer
      case .reply, .evaluated: throw abandon(.client(.malformed))
      }
    }
  }

  private mutating func policyRow() throws(ContextError) -> PolicyAnswer {
    do throws(FormatError) {
      let row = try PolicyRow(parsing: packet.span)
      return PolicyAnswer(row.verdict, row.biometry, domainState: Array(copying: row.domainState))
    } catch { throw abandon(.client(.malformed)) }
  }

  /// Has signetd prove by finger or passcode that the owner is there. The answer's verdict is success, or says why not; an error
  /// is none of signetd's verdicts, and `ContextError.verdict` says which one it comes to.
  public mutating func evaluate<Host: ContextHost & ~Copyable>(
    _ request: EvaluateRequest, _ host: inout Host
  ) throws(ContextError) -> EvaluatedReply {
    try beginEvaluation(request, host)
    while true { if let reply = try evaluated(try next(&host)) { return reply } }
  }

  /// Begins an evaluation for `step`; `evaluated` takes each of its messages.
  public mutating func beginEvaluation<Host: ContextHost & ~Copyable>(
    _ request: EvaluateRequest, _ host: borrowing Host
  ) throws(ContextError) {
    var request = request
    if !host.canInteract { request.mayInteract = false }
    var terms = ContextConnection.terms
    terms.ending = .evaluation
    // signetd ends it by itself at its time; this is for one that does not.
    terms.limit = Int64(request.timeout) &* 1_000 &+ 10_000
    terms.passcodeLimit = 60_000
    try begin(terms) { packet throws(FormatError) in try request.write(into: &packet) }
    takesPasscode = request.policy == .deviceOwnerAuthentication
  }

  /// The end of an evaluation, where the message is that.
  public mutating func evaluated(_ message: Message?) throws(ContextError) -> EvaluatedReply? {
    switch message {
    case .evaluated(let reply): return reply
    case nil: return nil
    case .reply: throw abandon(.client(.malformed))
    }
  }

  /// Has signetd forget what was proved. Without a connection there is nothing to forget.
  public mutating func forget() throws(ContextError) {
    leaveParent()
    guard isGreeted, !isInvalid else { return }
    try begin(ContextConnection.terms) { packet throws(FormatError) in try ForgetRequest().write(into: &packet) }
    var host = SilentHost()
    guard try next(&host) == .reply(.done) else { throw abandon(.client(.malformed)) }
  }

  /// Ends a request in whose middle signetd said what does not belong there, and gives the error back to be thrown.
  mutating func abandon(_ error: ContextError) -> ContextError {
    phase = .idle
    request.removeAll()
    packet.removeAll()
    drop()
    return error
  }

  mutating func abandon<Host: ContextHost & ~Copyable>(_ error: ContextError, _ host: inout Host) -> ContextError {
    if case .handedOver = phase { host.endHandOver() }
    host.finish()
    return abandon(error)
  }
}
