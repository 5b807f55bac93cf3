import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonService
import SignetAuthentication
import SignetConfiguration
import SignetVocabulary

/// What an evaluation is asked for, and what the asker says of itself.
package struct EvaluationRequest {
  let policy: Policy
  /// How long a finger is waited for, in milliseconds.
  let timeout: Int64
  /// The PAM service, or what stands for it; anybody may choose it.
  package let service: String
  /// The terminal that the asker names; empty for none.
  let terminal: String
  /// Whether `PAM_RHOST` names another machine.
  let isRemote: Bool

  package init(
    _ policy: Policy = .deviceOwnerAuthentication, timeout: Int64 = 0, service: String = "", terminal: String = "",
    isRemote: Bool = false
  ) {
    self.policy = policy
    self.timeout = timeout
    self.service = service
    self.terminal = terminal
    self.isRemote = isRemote
  }
}

/// One attempt to prove who a user is: who asks, for whom, and with what.
package struct Attempt {
  package let prover: Prover
  package let client: ClientConnection
  package let user: User
  package let request: EvaluationRequest
  let account: Account

  package init(_ prover: Prover, for user: User, by client: ClientConnection, _ request: EvaluationRequest = EvaluationRequest())
  {
    self.prover = prover
    self.client = client
    self.user = user
    self.request = request
    account = prover.accounts[user.uid]
  }

  /// Throws where the hand at the reader can be another's than the user's.
  func judgeHand() throws(WhoseHand.Doubt) {
    let configuration = prover.configuration
    guard configuration.fingerFor == .own else { return }
    let place = LoginSessions.place(of: client.process, owner: user.uid, seat: configuration.readerSeat)
    try WhoseHand(owner: user.uid, seat: configuration.readerSeat)
      .judge(client.asker, at: place, isSeatService: configuration.isAtSeat(request.service))
  }

  package typealias Interruption = ClientConnection.Interruption

  /// For the audit trail: who asks.
  package var requester: Requester { Requester(client, service: request.service, terminal: request.terminal) }

  /// Records what happened, after the client was told of it.
  package func record(_ events: Event...) { prover.audit.record(events, of: user, by: requester) }

  /// The user's strikes as memory has them, for the record.
  var strikes: Int { max(0, prover.configuration.limits.strikes - account.missesLeft) }

  /// For the log: who asks, for whom.
  var fields: Log.Fields {
    [
      ("user", user.name), ("service", request.service), ("tty", request.terminal), ("pid", "\(client.peer.pid)"),
      ("uid", "\(client.peer.uid)"),
    ]
  }
}
