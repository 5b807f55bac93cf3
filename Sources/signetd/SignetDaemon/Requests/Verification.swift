import DaemonConnections
import DaemonProving
import DaemonService
import SignetAuthentication
import SignetVocabulary
import SignetWire

/// Whether a finger is the user's, for a program on the bus: an evaluation like any other, charged, counted and recorded, whose
/// evidence is good for the answer and for nothing else.
struct Verification {
  /// What stands in the place of a PAM service, in the history and in signet.conf(5).
  static let service = "fprint"

  private let attempt: Attempt

  typealias Interruption = ClientConnection.Interruption

  init(_ prover: Prover, of user: User, by client: ClientConnection, _ wanted: VerifyRequest) {
    var request = EvaluationRequest(
      .deviceOwnerAuthenticationWithBiometrics, timeout: Int64(wanted.timeout) * 1000, service: Verification.service)
    request.wanted = EvaluationRequest.WantedFingers(finger: wanted.finger, reader: wanted.reader)
    request.isQuestion = true
    attempt = Attempt(prover, for: user, by: client, request)
  }

  func run(mayInteract: Bool) throws(Interruption) {
    guard mayInteract else { return try attempt.send(EvaluatedReply(foreseen())) }
    try attempt.answer { () throws(Interruption) in
      try Authentication(attempt, for: .verification).run { evidence, finger throws(Interruption) in
        try attempt.succeed(evidence.method, finger)
      }
    }
  }

  /// How it would end; `notInteractive` where that is the finger's to say. Nothing is recorded: nothing was asked for.
  private func foreseen() throws(Interruption) -> Verdict {
    attempt.client.phase = .working
    let verdict = try Availability(attempt).status().verdict
    return verdict == .success ? .notInteractive : verdict
  }
}
