import DaemonAudit
import DaemonConnections
import DaemonService
import SignetBytes
import SignetVocabulary
import SignetWire

/// Whose account a request is about: anyone may ask about themselves, root about anyone.
struct AccountAccess {
  let audit: AuditTrail
  let client: ClientConnection

  /// The user of this name, or of no name the client's own, if the client may act for them; otherwise the client is told.
  func permitted(_ name: String, _ request: RequestKind) -> User? {
    let user = user(named: name)
    // Of signet-logind no other request than `lock` comes as far as this.
    guard let user, client.peer.mayActAs(user.uid) || client.caller == .sessionLocker else {
      if let user { record(request, of: user) }
      // Whether a foreign name exists is nobody's business.
      client.refuse(name.isEmpty ? .unknownUID(client.peer.uid) : client.peer.isRoot ? .unknownUser(name) : .otherUser)
      return nil
    }
    return user
  }

  /// Records what the client was denied, for the user whom it named, or the client's own.
  func recordDenied(_ kind: RequestKind) {
    let request = try? client.read { fields throws(FormatError) in try AdministrationRequest(kind: kind, parsing: fields) }
    if let user = user(named: request?.user ?? "") { record(kind, of: user) }
  }

  private func record(_ request: RequestKind, of user: User) {
    audit.record(.refused(request), of: user, by: Requester(client))
  }

  private func user(named name: String) -> User? {
    name.isEmpty ? User(uid: client.peer.uid) : User(named: Array(name.utf8).span)
  }
}
