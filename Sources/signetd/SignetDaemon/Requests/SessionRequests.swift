import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonPasscodes
import DaemonService
import DaemonVaults
import SignetAuthentication
import SignetBytes
import SignetFiles
import SignetTokens
import SignetVocabulary
import SignetWire

/// Sessions that hold a token: opened and closed by the module, listed and revoked by the command line.
struct SessionRequests {
  let sessions: SessionRegistry
  let vault: Vault
  let audit: AuditTrail
  let standing: AccountStanding
  /// Where the reader is.
  let seat: String
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  func open() throws(Interruption) {
    let peer = client.peer.uid
    let opened = try client.read { fields throws(FormatError) in
      let request = try OpenSessionRequest(parsing: fields)
      let terminal = String(decoding: Array(copying: request.terminal), as: UTF8.self)
      return Result { () throws(SessionRegistry.NotOpened) in
        try sessions.open(token: request.token, key: request.key, terminal: terminal, peer: peer)
      }
    }
    switch opened {
    case .success(let session):
      vault.joinSession(session.uid)
      try finish(.sessionOpened(session.method, session.identifier), of: session)
    case .failure(let reason): refuse(reason)
    }
  }

  private func refuse(_ reason: SessionRegistry.NotOpened) {
    switch reason {
    case .noSession: client.refuse(.noSessionForToken)
    case .foreignKey(let session): refuse(.foreignSessionKey, of: session)
    case .tooMany(let session): refuse(.tooManySessions, of: session)
    case .notRecorded(let error):
      Log.write(.error, "a session could not be recorded: \(error.description)")
      client.refuse(.noSessionForToken)
    }
  }

  /// A session that did not open for what its own module or user did is something to look for afterwards.
  private func refuse(_ refusal: Refusal, of session: Session) {
    Log.write(.warning, "session refused: \(refusal)", [("user", session.user), ("pid", "\(client.peer.pid)")])
    audit.record(.refused(.openSession), of: User(of: session), by: Requester(client, service: session.service))
    client.refuse(refusal)
  }

  func close() throws(Interruption) {
    let peer = client.peer.uid
    let session = try client.read { fields throws(FormatError) in
      sessions.close(token: try CloseSessionRequest(parsing: fields).token, peer: peer)
    }
    guard let session else { return client.refuse(.noSessionForToken) }
    vault.closeEnded()
    try finish(.sessionClosed(session.identifier), of: session)
  }

  /// Recorded whether or not the client stays for the answer.
  private func finish(_ event: Event, of session: Session) throws(Interruption) {
    audit.record(
      event, of: User(of: session), by: Requester(client, service: session.service, terminal: session.terminal))
    try client.send(AdministrationReply.done)
  }

  /// Hands the token of the user's session at the seat to a program that their own service manager started, as desktops have it do for
  /// terminals and applications: those are in the manager's keyring, and not in the session's.
  func handOut() throws(Interruption) {
    guard isManagedAtSeat, let session = sessions.atSeat(of: client.peer.uid) else { return client.refuse(.noOpenSession) }
    if try standing.refuses(User(of: session), client) { return }
    // A directory may take its time, in which the user may leave the seat.
    guard isManagedAtSeat, let token = SessionKey(session.key).payload(),
      !client.peerHasEnded
    else { return client.refuse(.noOpenSession) }
    try client.send(value: token.span)
    try client.send(AdministrationReply.done)
  }

  /// Whether the asker is of no session but of the user's own manager, while the user is at the seat. Any program of the user could have
  /// the manager start it, so that this keeps nothing from them: it keeps services, jobs and other users out, as at a finger.
  private var isManagedAtSeat: Bool {
    let owner = client.peer.uid
    let policy = LocalPresencePolicy(owner: owner, seat: seat)
    do throws(LocalPresencePolicy.PresenceFailure) {
      try policy.judge(client.origin, isSeatService: false)
      let location = LoginSessions.location(of: client.origin, client.process, pid: client.peer.pid, owner: owner, seat: seat)
      try policy.judge(location, of: client.origin)
      return location.session == nil && location.manager == owner
    } catch { return false }
  }

  /// The client's own, or all for root.
  func list() throws(Interruption) {
    for session in sessions.open(of: client.peer.isRoot ? nil : client.peer.uid) {
      try client.sendPatiently(.session(SessionRow(session, sessions.limits)))
    }
    try client.sendPatiently(.done)
  }

  func revoke(_ identifier: String) throws(Interruption) {
    guard let name = SessionName(identifier), let session = sessions.revoke(identifier: name, peer: client.peer.uid) else {
      return client.refuse(.noSuchSession(identifier))
    }
    vault.closeEnded()
    audit.record(.sessionRevoked(session.identifier), of: User(of: session), by: Requester(client))
    try client.send(AdministrationReply.done)
  }
}

extension User {
  /// Whose session it is.
  fileprivate init(of session: Session) { self.init(uid: session.uid, name: session.user) }
}
