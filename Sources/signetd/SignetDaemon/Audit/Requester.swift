import CLinux
import DaemonConnections
import DaemonService
import Glibc
import SignetAuthentication
import SignetFiles
import SignetVocabulary
import SignetWire

/// Who asked: the process at the other end as the kernel knows it, and what it says of itself.
package struct Requester: Sendable {
  package let peer: Peer
  let process: PeerProcess
  /// Whose request it is, whatever the process wrote as its login.
  var source = RequestOrigin.Source.unknown
  /// The PAM service and terminal that the process names; anybody may choose them.
  package var service = ""
  package var terminal = ""

  /// Whose request it is, where that is neither whom the process runs as nor whom it names as its login.
  private var starter: UInt32? {
    guard case .user(let user) = source, user != peer.uid, user != process.loginUser else { return nil }
    return user
  }

  /// The terminal that the process names, or else the one that controls it.
  private var place: String { terminal.isEmpty ? process.terminal : terminal }

  /// For the log, which replaces what could forge or hide something.
  package var fields: Log.Fields {
    var fields: Log.Fields = []
    if !service.isEmpty { fields.append(("service", service)) }
    if !place.isEmpty { fields.append(("tty", place)) }
    fields += [("pid", "\(peer.pid)"), ("uid", "\(peer.uid)")]
    if !process.program.isEmpty { fields.append(("exe", process.program)) }
    if process.session != EventRequester.none { fields.append(("audit_session", "\(process.session)")) }
    if process.loginUser != EventRequester.none { fields.append(("audit_loginuid", "\(process.loginUser)")) }
    if let starter { fields.append(("started_by", "\(starter)")) }
    return fields
  }

  /// Whom the history names beside the uid: the history counts by it, so that nobody may make it up.
  private var behind: UInt32 {
    guard case .user(let user) = source, user != peer.uid || user == process.loginUser else { return EventRequester.none }
    return user
  }

  /// For the history.
  package var row: EventRequester {
    EventRequester(
      pid: UInt32(clamping: peer.pid), uid: peer.uid, loginUser: behind, session: process.session,
      program: process.program.shortened(to: FieldLimit.program),
      service: JournalEntry.harmless(service).shortened(to: FieldLimit.name),
      terminal: JournalEntry.harmless(place).shortened(to: FieldLimit.name))
  }
}

extension Requester {
  /// The client, and what its request says of itself.
  package init(_ client: ClientConnection, service: String = "", terminal: String = "") {
    self.init(peer: client.peer, process: client.process, source: client.origin.source, service: service, terminal: terminal)
  }
}
