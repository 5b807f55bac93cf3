import DaemonConnections
import DaemonProving
import DaemonService
import SignetVocabulary
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
      try attempt(name, request).map { Enrollment(attempt: $0) }?.run(finger, onReader: reader)
    case .delete(let name, let finger):
      try attempt(name, request).map { Deletion(attempt: $0) }?.run(finger)
    case .importFprintd(let name):
      if let attempt = attempt(name, request) {
        try FprintdImport(attempt, FprintdPrints(of: attempt.user, below: services.fprintd)).run()
      }
    case .verify(let wanted):
      if let user = permitted(wanted.user, request.kind) {
        try Verification(services.prover, of: user, by: client, wanted).run(mayInteract: wanted.mayInteract)
      }
    case .list(let name): try account(name, request)?.list()
    case .status(let name): try account(name, request)?.status()
    case .reset(let name): try account(name, request)?.reset()
    case .lock(let name): try account(name, request)?.lock()
    case .history(let name, let limit): try account(name, request)?.history(limit: limit)
    }
  }

  private var readers: ReaderRequests { services.readerRequests(of: client) }

  private var sessions: SessionRequests { services.sessionRequests(of: client) }

  private func account(_ name: String, _ request: AdministrationRequest) -> AccountRequests? {
    permitted(name, request.kind).map { services.accountRequests(of: client, about: $0) }
  }

  /// To change fingers, for which something is to be proved.
  private func attempt(_ name: String, _ request: AdministrationRequest) -> Attempt? {
    permitted(name, request.kind).map { Attempt(services.prover, for: $0, by: client) }
  }

  private func permitted(_ name: String, _ request: RequestKind) -> User? {
    AccountAccess(audit: services.prover.audit, client: client).permitted(name, request)
  }
}
