import DaemonConnections
import DaemonProving
import DaemonService
import SignetBytes
import SignetVocabulary
import SignetWire

/// Tells a program how its user's fingers stand, at once and after each change, until it says or closes. Between changes neither of the
/// two is woken. A watch takes one of its user's places, and keeps signetd from its idle exit.
struct BiometryWatch {
  private let attempt: Attempt
  private let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  /// Answers a `watch` request.
  static func serve(_ client: ClientConnection, _ prover: Prover, _ changes: Changes) throws(Interruption) {
    try client.read { fields throws(FormatError) in _ = try WatchRequest(parsing: fields) }
    guard let user = AccountAccess(audit: prover.audit, client: client).permitted("", .watch) else { return }
    // Before the first look, so that no change is missed.
    guard let watcher = changes.watch(user.uid) else { return client.turnAway() }
    let attempt = ContextEvaluation.attempt(.deviceOwnerAuthenticationWithBiometrics, prover, client, user)
    let watch = BiometryWatch(attempt: attempt, client: client)
    try StatusWatch(client: client, account: attempt.account, watcher: watcher).run(
      { () throws(Interruption) in try Availability(attempt).status() }, tell: watch.tell)
  }

  private func tell(_ status: Availability.Status) throws(Interruption) {
    let state: BiometryState =
      switch status.verdict {
      case .success: .usable
      case .biometryLockout: .lockout
      default: .notWorking
      }
    // A program that does not read any more is not waited for.
    try client.send { packet throws(FormatError) in
      try BiometryRow(state, status.lock, status.verdict, domainState: status.domainState.span).write(into: &packet)
    }
  }
}
