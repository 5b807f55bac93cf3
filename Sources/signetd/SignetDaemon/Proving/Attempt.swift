import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonReaders
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
  /// How the asker puts the question for the passcode.
  let question: QuestionForm
  /// Which of the user's fingers are asked for.
  package var wanted = WantedFingers()
  /// Whether a program asks whose finger it is, which makes way for a login.
  package var isQuestion = false

  /// A finger, and a reader; what is not named is any.
  package struct WantedFingers {
    let finger: Finger?
    let reader: String

    package init(finger: Finger? = nil, reader: String = "") { (self.finger, self.reader) = (finger, reader) }

    func include(_ other: EnrolledFinger) -> Bool {
      (finger == nil || finger == other.finger) && (reader.isEmpty || reader == other.reader)
    }
  }

  package init(
    _ policy: Policy = .deviceOwnerAuthentication, timeout: Int64 = 0, service: String = "", terminal: String = "",
    isRemote: Bool = false, question: QuestionForm = .beside
  ) {
    self.policy = policy
    self.timeout = timeout
    self.service = service
    self.terminal = terminal
    self.isRemote = isRemote
    self.question = question
  }
}

/// One attempt to prove who a user is: who asks, for whom, and with what.
package struct Attempt {
  package let prover: Prover
  package let client: ClientConnection
  package let user: User
  package let request: EvaluationRequest
  package let account: Account

  package init(_ prover: Prover, for user: User, by client: ClientConnection, _ request: EvaluationRequest = EvaluationRequest())
  {
    self.prover = prover
    self.client = client
    self.user = user
    self.request = request
    account = prover.accounts[user.uid]
  }

  package var store: SharedStore { prover.store }

  /// What holds for the PAM service that asks.
  package var policy: ServicePolicy { prover.configuration.policy(for: request.service) }

  /// Whether a finger is asked for only where it can be the owner's.
  var isForOwner: Bool { prover.configuration.fingerFor == .own }

  /// Where an asker is who is known to be at the seat.
  var place: ReaderHolder.Location { request.isQuestion ? .program : .seat }

  /// Where the asker is, for who has the readers first.
  package var readerLocation: ReaderHolder.Location {
    isForOwner && failureOfOrigin() == nil && failureOfLocation() == nil ? .seat : .elsewhere
  }

  /// Why the hand at the reader can be another's than the user's, so that no finger is asked for; `nil` where it is theirs as
  /// far as who asks can tell. `failureOfLocation` has to be asked, too.
  func failureOfOrigin(isLogged: Bool = true) -> LocalPresencePolicy.PresenceFailure? {
    presenceFailure(isLogged: isLogged) { presence throws(LocalPresencePolicy.PresenceFailure) in
      try presence.judge(client.origin, isSeatService: prover.configuration.isAtSeat(request.service))
    }
  }

  /// The same, as far as where the asker is can tell. This takes longer: there is time for it while the reader opens.
  func failureOfLocation(isLogged: Bool = true) -> LocalPresencePolicy.PresenceFailure? {
    presenceFailure(isLogged: isLogged) { presence throws(LocalPresencePolicy.PresenceFailure) in
      let location = LoginSessions.location(
        of: client.origin, client.process, pid: client.peer.pid, owner: user.uid, seat: prover.configuration.readerSeat)
      // Another process that has its number by now may be anywhere.
      guard !client.peerHasEnded else { throw .elsewhere }
      try presence.judge(location, of: client.origin)
    }
  }

  /// Not logged for a question that anybody may ask as often as they like.
  private func presenceFailure(isLogged: Bool, _ judge: (LocalPresencePolicy) throws(LocalPresencePolicy.PresenceFailure) -> Void)
    -> LocalPresencePolicy.PresenceFailure?
  {
    guard isForOwner else { return nil }
    do throws(LocalPresencePolicy.PresenceFailure) {
      try judge(LocalPresencePolicy(owner: user.uid, seat: prover.configuration.readerSeat))
      return nil
    } catch {
      guard isLogged else { return error }
      Log.write(.notice, "the hand at the reader can be another's than the user's", fields + [("doubt", "\(error)")])
      return error
    }
  }

  /// Where the asker's passcodes come from, to count the wrong ones.
  var source: PasscodeSource { PasscodeSource(of: client.origin, for: user.uid, isRemote: request.isRemote) }

  package typealias Interruption = ClientConnection.Interruption

  /// Why nothing is taken from the user or given to them, by their account; `nil` where that is open.
  package func accountObstacle() throws(Interruption) -> Verdict? {
    // Whoever watches is not asked to wait.
    if client.phase != .watching { client.phase = .working }
    return try prover.passcodes.accounts.obstacle(of: user, for: client)
  }

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
