import Glibc
import SignetAuthentication
import SignetMemory
import SignetTokens
import SignetWire

/// One login, from the request to the reply. This is the main path of signetd; details are one call down: the lockout rule
/// in SignetAuthentication, scanning in `Scan`, the passcode in `PasscodeDialog`, the token in SignetTokens.
struct Login {
  let daemon: Daemon
  let client: ClientConnection
  let request: LoginRequest
  let user: User
  let account: Account

  /// Answers an `authenticate` request. `nil` fields of the request were checked by its parser.
  static func serve(_ request: LoginRequest, for client: ClientConnection, daemon: Daemon) throws(Interruption) {
    guard let user = request.user, client.peer.mayActAs(user.uid) else {
      // An unknown name is answered as a user without fingers is, so that nobody can list users by asking.
      let isForeign = request.user != nil
      // Whether or not the client stays for the answer.
      if let user = request.user { daemon.audit.record(.refused(.authenticate), of: user, by: request.requester(client)) }
      return try client.send(.verdict(isForeign ? .invalidContext : .biometryNotEnrolled, .none, token: Span(), authtok: Span()))
    }
    let login = Login(daemon: daemon, client: client, request: request, user: user, account: daemon.accounts[user.uid])
    do throws(Interruption) { try login.run() } catch {
      login.record(.ended(error.verdict))
      throw error
    }
  }

  typealias Interruption = ClientConnection.Interruption

  private func run() throws(Interruption) {
    // The reader is at the hand of who sits here, not of who asks from elsewhere.
    guard !request.isRemote, let fingers = enrolledFingers() else { return try end(.biometryNotAvailable) }
    if fingers.isEmpty { return try end(.biometryNotEnrolled) }

    let standing = account.standing
    var evaluation = Evaluation(
      uid: user.uid, policy: request.policy, limits: daemon.configuration.limits(for: request.service),
      poorScans: account.poorScans)
    var next = evaluation.begin(isLocked: standing.lock != .none)
    if standing.lock != .none {
      if !standing.explanation.isEmpty { Log.write(.error, standing.explanation) }
      record(.locked(standing.lock))
      try client.show(.locked, value: standing.lock.rawValue)
    }
    if case .scan = next {
      let scan = Scan(login: self, fingers: fingers.usable)
      switch try scan.run(&evaluation) {
      case .released: return
      case .stopped(let after): next = after
      }
    }

    switch next {
    case .askPasscode(let reason): try askPasscode(reason, &evaluation)
    case .end(let verdict): try end(verdict)
    // `Scan` ends with one of the others; there is no reader here to scan with.
    case .scan: try end(.biometryNotAvailable)
    }
  }

  private func askPasscode(_ reason: PasscodeReason, _ evaluation: inout Evaluation) throws(Interruption) {
    let dialog = PasscodeDialog(
      daemon: daemon, client: client, user: user, service: request.service, terminal: request.terminal)
    switch try dialog.run(reason) {
    case .verified:
      guard let evidence = evaluation.passcodeVerified() else { return try end(.authenticationFailed) }
      guard let token = UnreleasedToken() else { return try end(.biometryNotAvailable) }
      try release(evidence, with: token)
      daemon.audit.flush()
      dialog.openVault()
    case .wrong: try end(.authenticationFailed)
    // As after five strikes, and no passcode is left to be asked for.
    case .delayed: try end(.biometryLockout)
    case .notSet: try end(.passcodeNotSet)
    case .unavailable, .undecided: try end(.biometryNotAvailable)
    case .cancelled: try end(.userCancel)
    }
  }

  /// Turns evidence into a token and hands both to the client: the only way to success.
  func release(
    _ evidence: consuming AuthenticationEvidence, with token: borrowing UnreleasedToken, _ finger: Finger? = nil
  ) throws(Interruption) {
    let method = evidence.method
    daemon.sessions.release(token, for: evidence, user: user.name, service: request.service)
    let events: [AuditEvent] = [.authenticated(method, finger), .released(method, AuditEvent.SessionName(token))]
    daemon.audit.announce(events, of: user, by: request.requester(client))
    try client.send(.verdict(.success, method, token: token.secret.span, authtok: Span()))
    // The host goes first where it was woken on this processor: what is left to do here nobody waits for.
    sched_yield()
  }

  private func end(_ verdict: Verdict) throws(Interruption) {
    try client.send(.verdict(verdict, .none, token: Span(), authtok: Span()))
    record(.ended(verdict))
  }

  /// Records what happened, after the client was told of it.
  func record(_ events: AuditEvent...) { daemon.audit.record(events, of: user, by: request.requester(client)) }

  /// As memory has them, for the record.
  var strikes: Int { max(0, daemon.configuration.limits.strikes - account.missesLeft) }

  /// The user's fingers; `nil`, logged, where the state cannot be read at all.
  private func enrolledFingers() -> AccountStore.Fingers? {
    do {
      let fingers = daemon.store.value.withDeviceKey(try daemon.store.value.fingers(of: user))
      for problem in fingers.unusable { Log.write(.error, "left out: \(problem)", request.fields) }
      return fingers
    } catch {
      Log.write(.error, error.description, request.fields)
      record(.stateUnusable)
      return nil
    }
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
