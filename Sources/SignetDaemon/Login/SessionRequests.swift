import DaemonConnections
import DaemonService
import SignetBytes
import SignetFiles
import SignetMemory
import SignetTokens
import SignetVocabulary
import SignetWire

/// `openSession` and `closeSession`, from the module.
struct SessionRequests {
  let daemon: Daemon
  let client: ClientConnection

  func serve(_ kind: RequestKind) throws(ClientConnection.Interruption) {
    let peer = client.peer.uid
    let session: Session?
    if kind == .openSession {
      session = try client.read { fields throws(FormatError) in
        let request = try OpenSessionRequest(parsing: fields)
        let terminal = String(decoding: Array(copying: request.terminal), as: UTF8.self)
        do throws(SystemError) {
          return try daemon.sessions.open(token: request.token, key: request.key, terminal: terminal, peer: peer)
        } catch {
          Log.write(.error, "a session could not be recorded: \(error.description)")
          return nil
        }
      }
    } else {
      session = try client.read { fields throws(FormatError) in
        daemon.sessions.close(token: try CloseSessionRequest(parsing: fields).token, peer: peer)
      }
    }
    guard let session else {
      return client.refuse(.noSessionForToken)
    }
    if kind == .openSession { daemon.vault.keys.joinSession(session.uid) } else { daemon.vault.closeEnded() }
    // Whether or not the client stays for the answer.
    daemon.audit.record(
      kind == .openSession ? .sessionOpened(session.method, session.identifier) : .sessionClosed(session.identifier),
      of: User(uid: session.uid, name: session.user),
      by: Requester(client, service: session.service, terminal: session.terminal))
    try client.send(AdministrationReply.done)
  }
}
