import DaemonConnections
import DaemonProving
import DaemonService
import Glibc
import SignetAuthentication
import SignetBytes
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
    do throws(Interruption) {
      let verdict = try evaluate(request, attempt)
      guard verdict != .success else { return }
      try send(EvaluatedReply(verdict))
      attempt.record(.ended(verdict))
    } catch {
      attempt.record(.ended(error.verdict))
      throw error
    }
  }

  /// Answers with `success` where that was sent.
  private func evaluate(_ request: EvaluateRequest, _ attempt: Attempt) throws(Interruption) -> Verdict {
    let availability = Availability(attempt)
    if try availability.isUnlocked(within: request.reuse) {
      // Nothing was proved to this context: it is good for the verdict, and for no item.
      try succeed(.fingerprint, nil, attempt)
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
      try succeed(proved.method, finger, attempt)
    }
  }

  /// Sends the success. What is recorded of it is written when the client has it.
  private func succeed(_ method: EvidenceMethod, _ finger: Finger?, _ attempt: Attempt) throws(Interruption) {
    prover.audit.announce([.authenticated(method, finger)], of: user, by: attempt.requester)
    try send(EvaluatedReply(.success, method))
    sched_yield()
  }

  private func send(_ reply: EvaluatedReply) throws(Interruption) {
    try client.send { packet throws(FormatError) in try reply.write(into: &packet) }
  }
}
