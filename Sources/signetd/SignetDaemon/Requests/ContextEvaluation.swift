import DaemonConnections
import DaemonProving
import DaemonService
import SignetAuthentication
import SignetVocabulary
import SignetWire

/// One evaluation of an application, from the request to its one reply.
struct ContextEvaluation {
  let prover: Prover
  let client: ClientConnection
  let user: User
  let evidence: KeptEvidence

  typealias Interruption = ClientConnection.Interruption

  /// What stands in the place of a PAM service, in the history and in signet.conf(5).
  static let service = "application"

  static func attempt(
    _ policy: Policy, timeout: UInt16 = 0, _ prover: Prover, _ client: ClientConnection, _ user: User
  ) -> Attempt {
    Attempt(
      prover, for: user, by: client, EvaluationRequest(policy, timeout: Int64(timeout) * 1000, service: service))
  }

  func run(_ request: EvaluateRequest) throws(Interruption) {
    let attempt = ContextEvaluation.attempt(request.policy, timeout: request.timeout, prover, client, user)
    try attempt.answer { () throws(Interruption) in try evaluate(request, attempt) }
  }

  /// Answers with `success` where that was sent.
  private func evaluate(_ request: EvaluateRequest, _ attempt: Attempt) throws(Interruption) -> Verdict {
    let availability = Availability(attempt)
    // An unlock that is accepted below was of an account that was open then.
    if let verdict = try attempt.accountObstacle() { return verdict }
    if try availability.isUnlocked(within: request.reuse) {
      // Nothing was proved to this context: it is good for the verdict, and for no item.
      try attempt.succeed(.fingerprint, nil)
      prover.audit.flush()
      return .success
    }
    guard request.mayInteract else {
      let verdict = try availability.status().verdict
      return verdict == .success ? .notInteractive : verdict
    }
    let hasFingers = evidence.prepare()
    // A user without a finger may have no reader either; the verdict says that first.
    if !hasFingers, request.policy == .deviceOwnerAuthenticationWithBiometrics {
      let verdict = try availability.status().verdict
      if verdict != .success { return verdict }
    }
    return try Authentication(attempt, for: .application).run { proved, finger throws(Interruption) in
      evidence.keep(proved)
      try attempt.succeed(proved.method, finger)
    }
  }
}
