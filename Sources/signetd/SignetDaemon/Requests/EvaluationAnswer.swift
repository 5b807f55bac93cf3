import DaemonConnections
import DaemonProving
import Glibc
import SignetBytes
import SignetVocabulary
import SignetWire

/// The one reply of an evaluation that releases nothing by itself, and what is recorded of it.
extension Attempt {
  /// `evaluate` answers with `success` where that was sent.
  func answer(_ evaluate: () throws(Interruption) -> Verdict) throws(Interruption) {
    do throws(Interruption) {
      let verdict = try evaluate()
      guard verdict != .success else { return }
      try send(EvaluatedReply(verdict))
      record(.ended(verdict))
    } catch {
      record(.ended(error.verdict))
      throw error
    }
  }

  /// Sends the success. What is recorded of it is written when the client has it.
  func succeed(_ method: EvidenceMethod, _ finger: Finger?) throws(Interruption) {
    prover.audit.announce([.authenticated(method, finger)], of: user, by: requester)
    try send(EvaluatedReply(.success, method))
    sched_yield()
  }

  func send(_ reply: EvaluatedReply) throws(Interruption) {
    try client.send { packet throws(FormatError) in try reply.write(into: &packet) }
  }
}
