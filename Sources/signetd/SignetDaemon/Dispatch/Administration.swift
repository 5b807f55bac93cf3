import DaemonConnections
import DaemonRequests
import DaemonService
import SignetWire

/// Leads a request of the command line to who answers it.
struct Administration {
  let services: Services
  let client: ClientConnection

  func serve(_ request: AdministrationRequest) throws(ClientConnection.Interruption) {
    switch request {
    case .readers: try readers.list()
    case .suspend: try readers.suspend()
    case .resume: try readers.resume()
    case .sessions: try sessions.list()
    case .revokeSession(let identifier): try sessions.revoke(identifier)
    case .enroll(let name, let finger, let reader):
      if let user = permitted(name, request) { try Enrollment(services.prover, client, user).run(finger, onReader: reader) }
    case .delete(let name, let finger):
      if let user = permitted(name, request) { try Deletion(services.prover, client, user).run(finger) }
    case .importFprintd(let name):
      if let user = permitted(name, request) {
        try FprintdImport(services.prover, client, user, FprintdPrints(of: user, below: services.fprintd)).run()
      }
    case .list(let name): try account(name, request)?.list()
    case .status(let name): try account(name, request)?.status()
    case .reset(let name): try account(name, request)?.reset()
    case .lock(let name): try account(name, request)?.lock()
    case .history(let name, let limit): try account(name, request)?.history(limit: limit)
    }
  }

  private var readers: ReaderRequests { ReaderRequests(services.prover, client) }

  private var sessions: SessionRequests { services.sessionRequests(of: client) }

  private func account(_ name: String, _ request: AdministrationRequest) -> AccountRequests? {
    permitted(name, request).map { AccountRequests(services.prover, issuer: services.issuer, client, $0) }
  }

  private func permitted(_ name: String, _ request: AdministrationRequest) -> User? {
    AskedUser(client, audit: services.prover.audit).permitted(name, request.kind)
  }
}
