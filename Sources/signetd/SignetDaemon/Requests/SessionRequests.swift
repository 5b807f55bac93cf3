import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonService
import DaemonVaults
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
