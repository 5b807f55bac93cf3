import DaemonConnections
import DaemonProving
import DaemonService
import SignetBytes
import SignetVocabulary
import SignetWire

/// An application's connection: a context in which many requests follow one another, and what one has proved counts for the next.
///
/// It acts for the user who opened it only, also where that is root.
struct ContextRequests {
  private let prover: Prover
  private let client: ClientConnection
  private let user: User
  private let evidence: KeptEvidence
  private let releases = ReleaseTally()

  typealias Interruption = ClientConnection.Interruption

  /// Answers a `context` request, and all that follow it on its connection. Ends when the client closes it.
  static func serve(_ client: ClientConnection, _ prover: Prover) throws(Interruption) {
    // Only ever shown, and signetd shows what the kernel calls the program.
    try client.read { fields throws(FormatError) in _ = try ContextRequest(parsing: fields) }
    guard let user = AccountAccess(audit: prover.audit, client: client).permitted("", .context) else { return }
    let evidence = KeptEvidence(prover.vault, prover.accounts[user.uid], user)
    let context = ContextRequests(prover: prover, client: client, user: user, evidence: evidence)
    defer { context.releases.close() }
    try client.send(AdministrationReply.done)
    while true { try context.serve(try client.nextRequest(holdsUntil: context.evidence.end)) }
  }

  private func serve(_ kind: RequestKind) throws(Interruption) {
    client.phase = .working
    switch kind {
    case .evaluate:
      let request = try client.read { fields throws(FormatError) in try EvaluateRequest(parsing: fields) }
      try ContextEvaluation(prover: prover, client: client, user: user, evidence: evidence).run(request)
    case .canEvaluate:
      let request = try client.read { fields throws(FormatError) in try CanEvaluateRequest(parsing: fields) }
      try tell(request.policy)
    case .forget:
      try client.read { fields throws(FormatError) in _ = try ForgetRequest(parsing: fields) }
      evidence.forget()
      try client.send(AdministrationReply.done)
    // They crossed the end of the request that they were meant for.
    case .fallback, .cancel: break
    default:
      let request = try client.read { fields throws(FormatError) in try VaultRequest(kind: kind, parsing: fields) }
      guard request.user.isEmpty else { throw .misuse("a request for somebody in a context") }
      try VaultRequests(prover: prover, client: client).serve(request, HeldEvidence(kept: evidence, releases: releases), of: user)
    }
  }

  private func tell(_ policy: Policy) throws(Interruption) {
    let status = try Availability(ContextEvaluation.attempt(policy, prover, client, user)).status()
    try client.send { packet throws(FormatError) in
      try PolicyRow(status.verdict, status.biometry, domainState: status.domainState.span).write(into: &packet)
    }
    try client.send(AdministrationReply.done)
  }
}
