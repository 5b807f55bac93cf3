import DaemonConnections
import DaemonService
import Glibc
import SignetAuthentication
import SignetBytes
import SignetMemory
import SignetTokens
import SignetVocabulary
import SignetWire

/// One login, from the request to the reply. This is the main path of signetd; details are one call down: who it is in
/// `Authentication`, with the lockout rule in SignetAuthentication, scanning in `Scan` and the passcode in `PasscodeDialog`;
/// the login secret in `Vault`, the token in SignetTokens.
struct Login {
  let authentication: Authentication

  /// Answers an `authenticate` request. `nil` fields of the request were checked by its parser.
  static func serve(_ request: LoginRequest, for client: ClientConnection, daemon: Daemon) throws(Interruption) {
    guard let user = request.user, client.peer.mayActAs(user.uid) else {
      // An unknown name is answered as a user without fingers is, so that nobody can list users by asking.
      let isForeign = request.user != nil
      // Whether or not the client stays for the answer.
      if let user = request.user { daemon.audit.record(.refused(.authenticate), of: user, by: request.requester(client)) }
      let verdict: Verdict = isForeign ? .invalidContext : .biometryNotEnrolled
      return try client.send(.verdict(verdict, .none, token: Span(), authtok: Span()))
    }
    let getsSecret = client.peer.isRoot && daemon.configuration.releasesLoginSecret(to: request.service)
    let login = Login(
      authentication: Authentication(
        daemon: daemon, client: client, request: request, user: user, account: daemon.accounts[user.uid],
        purpose: .login(keepsLoginSecret: getsSecret && daemon.configuration.keepsLoginSecret)))
    do throws(Interruption) { try login.run(getsSecret: getsSecret) } catch {
      login.authentication.record(.ended(error.verdict))
      throw error
    }
  }

  typealias Interruption = ClientConnection.Interruption

  private var daemon: Daemon { authentication.daemon }
  private var client: ClientConnection { authentication.client }
  private var user: User { authentication.user }
  private var request: LoginRequest { authentication.request }

  private func run(getsSecret: Bool) throws(Interruption) {
    // Made while there is time: between the verdict and the reply nothing waits for the kernel.
    guard let token = UnreleasedToken() else { return try end(.biometryNotAvailable) }
    let secret: LoginSecret = getsSecret ? daemon.vault.loginSecret(of: user) : .none
    let verdict = try authentication.run(required: secret.required) { evidence, finger throws(Interruption) in
      try release(evidence, with: token, finger, secret)
    }
    if verdict != .success { try end(verdict) }
  }

  /// Turns evidence into a token and hands both to the client, with the login secret where there is one: the only way to
  /// success.
  private func release(
    _ evidence: consuming AuthenticationEvidence, with token: borrowing UnreleasedToken, _ finger: Finger?,
    _ secret: LoginSecret
  ) throws(Interruption) {
    let method = evidence.method
    var released: SecretBytes?
    if case .releasable(let secret) = secret { released = daemon.vault.releaseLoginSecret(secret, for: evidence) }
    daemon.sessions.release(token, for: evidence, user: user.name, service: request.service)
    var events: [Event] = [.authenticated(method, finger), .released(method, token.identifier)]
    switch released {
    case .some(let value):
      events.append(.loginSecretReleased)
      daemon.audit.announce(events, of: user, by: request.requester(client))
      try client.send(.verdict(.success, method, token: token.secret.span, authtok: value.span))
    case .none:
      daemon.audit.announce(events, of: user, by: request.requester(client))
      try client.send(.verdict(.success, method, token: token.secret.span, authtok: Span()))
    }
    // The host goes first where it was woken on this processor: what is left to do here nobody waits for.
    sched_yield()
  }

  private func end(_ verdict: Verdict) throws(Interruption) {
    try client.send(.verdict(verdict, .none, token: Span(), authtok: Span()))
    authentication.record(.ended(verdict))
  }
}

extension ClientConnection.Interruption {
  /// How an evaluation ended that it interrupted.
  fileprivate var verdict: Verdict {
    switch self {
    case .closed: .appCancel
    case .misuse, .denied: .invalidContext
    case .stopping: .systemCancel
    }
  }
}

/// An `authenticate` request with its texts in a form to keep.
struct LoginRequest {
  let policy: Policy
  let timeout: Int64
  /// `nil` where there is no such user.
  let user: User?
  let service: String
  let terminal: String
  /// Whether `PAM_RHOST` names another machine.
  let isRemote: Bool
  let peer: Peer

  init(_ request: borrowing AuthenticateRequest, peer: Peer) {
    policy = request.policy
    timeout = Int64(request.timeout) * 1000
    user = User(named: request.user)
    service = LoginRequest.printable(request.service)
    terminal = LoginRequest.printable(request.terminal)
    isRemote = !request.remoteHost.isEmpty && LoginRequest.printable(request.remoteHost) != "localhost"
    self.peer = peer
  }

  /// For a request that is none of PAM's.
  init(_ policy: Policy, of user: User, for service: String, timeout: Int64, peer: Peer) {
    self.policy = policy
    self.timeout = timeout
    self.user = user
    self.service = service
    terminal = ""
    isRemote = false
    self.peer = peer
  }

  /// A name as it may be shown to other users and logged: anybody may choose it.
  private static func printable(_ bytes: Span<UInt8>) -> String {
    String(decoding: Array(copying: bytes).prefix(64).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  /// For the audit trail: who asks.
  func requester(_ client: ClientConnection) -> Requester { Requester(client, service: service, terminal: terminal) }

  /// For the log: who asks, for whom.
  var fields: Log.Fields {
    [("user", user?.name ?? "?"), ("service", service), ("tty", terminal), ("pid", "\(peer.pid)"), ("uid", "\(peer.uid)")]
  }
}
