import DaemonService
import DaemonConnections


/// Answers `history`: the last rows, oldest first.
struct HistoryRequest {
  let daemon: Daemon
  let client: ClientConnection
  let user: User

  func serve(limit: UInt16) throws(ClientConnection.Interruption) {
    let found = daemon.audit.rows(of: user)
    for row in found.rows.suffix(Int(limit)) { try client.sendPatiently(.event(row)) }
    if let problem = found.problem { return client.refuse(.stateUnusable(problem)) }
    try client.sendPatiently(.done)
  }
}
