package import SignetContexts
import SignetVocabulary
import SignetWire

// What a context asks signetd.

extension LAContext {
  /// Why the policy cannot be evaluated; `nil`: it can.
  func answer(for policy: LAPolicy) -> LAError? {
    guard !application.isInvalid else { return LAError(.invalidContext) }
    do throws(ContextError) {
      let answer = try ask(policy.known ?? .deviceOwnerAuthenticationWithBiometrics)
      note(answer, isBiometric: policy.known == .deviceOwnerAuthenticationWithBiometrics)
      guard policy.known != nil else { return policy.lack }
      return LAError(answer.verdict)
    } catch { return LAError(error) }
  }

  /// While an evaluation is under way another connection is asked: the program does not wait for the owner here.
  private func ask(_ policy: Policy) throws(ContextError) -> PolicyAnswer {
    let own = try application.requestAtOnce { (connection) throws(ContextError) in try connection.canEvaluate(policy) }
    if let own { return own }
    return try ApplicationContext().request { (connection) throws(ContextError) in try connection.canEvaluate(policy) }
  }

  private func note(_ answer: PolicyAnswer, isBiometric: Bool) {
    write(\.biometryType, answer.biometry == .touchID ? .touchID : .none)
    guard isBiometric, answer.verdict == .success, !answer.domainState.isEmpty else { return }
    write(\.domainState, Data(answer.domainState))
  }

  /// Why it was not proved; `nil`: it was.
  func outcome(of proof: RequiredProof, _ reason: String, _ evaluation: PendingEvaluation) -> LAError? {
    guard !application.isInvalid else { return LAError(.invalidContext) }
    switch proof {
    case .nothing: return nil
    case .impossible(let code): return LAError(code)
    case .policy(let policy):
      guard let known = policy.known else { return policy.lack }
      return prove(known, reason, evaluation)
    case .passcode: return prove(.deviceOwnerAuthentication, reason, evaluation, by: .passcode)
    case .fingerAndPasscode:
      return prove(.deviceOwnerAuthenticationWithBiometrics, reason, evaluation)
        ?? prove(.deviceOwnerAuthentication, reason, evaluation, by: .passcode)
    }
  }

  private func prove(
    _ policy: Policy, _ reason: String, _ evaluation: PendingEvaluation, by method: EvidenceMethod = .none
  ) -> LAError? {
    var prompting = keychainPrompting
    prompting.reason = reason
    var host = OwnerPrompt(prompting, mayAsk: mayAskOwner)
    // An unlock by finger proves no passcode.
    let reuse = method == .none ? read(\.reuseDuration) : 0
    let request = EvaluateRequest(
      policy: policy, timeout: 3600,
      reuse: UInt16(max(0, min(reuse.isNaN ? 0 : reuse, LATouchIDAuthenticationMaximumAllowableReuseDuration))),
      mayInteract: mayAskOwner)
    do throws(ContextError) {
      let reply = try application.evaluate(request, &host, byPasscode: method == .passcode) { evaluation.isWanted }
      if let error = LAError(reply.verdict) { return error }
      guard method == .none || reply.method == method else { return LAError(.authenticationFailed) }
      noteDomainState(policy)
      write(\.wasConfirmed, true)
      Confirmations.tell(true)
      return nil
    } catch {
      // The call that was under way is cancelled by it; only later ones find the context invalid.
      if error == .invalidated { return LAError(.appCancel, userInfo: [NSDebugDescriptionErrorKey: "Invalidated by client."]) }
      return LAError(error)
    }
  }

  private func noteDomainState(_ policy: Policy) {
    guard policy == .deviceOwnerAuthenticationWithBiometrics, read(\.domainState) == nil else { return }
    do throws(ContextError) { note(try ask(policy), isBiometric: true) } catch { return }
  }
}

extension LAContext: KeychainAuthenticationContext {
  package var keychainContext: ApplicationContext { application }
  package var keychainPrompting: Prompting {
    var prompting = Prompting(reason: read(\.reason))
    (prompting.cancelTitle, prompting.fallbackTitle) = (read(\.cancelTitle), read(\.fallbackTitle))
    return prompting
  }
  package var mayAskOwner: Bool { !read(\.interactionNotAllowed) }
}

extension LAError {
  /// `nil` for a success. The debug description says what the code does not.
  fileprivate init?(_ verdict: Verdict) {
    guard let error = AuthenticationError(verdict) else { return nil }
    let explanation = "\(verdict.explanation)"
    self.init(
      Code(rawValue: Int(error.rawValue)) ?? .authenticationFailed,
      userInfo: explanation.isEmpty ? [:] : [NSDebugDescriptionErrorKey: explanation])
  }

  /// Nothing was proved or disproved; the debug description says what to do.
  init(_ error: ContextError) {
    let code = Code(rawValue: Int(AuthenticationError(error).rawValue)) ?? .authenticationFailed
    self.init(code, userInfo: [NSDebugDescriptionErrorKey: "\(error.explanation)"])
  }
}
