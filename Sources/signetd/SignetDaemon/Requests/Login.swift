// This folder answers requests: a login (`Login`, to be read first), enrolling and deleting fingers, what is asked of an
// account, of sessions, of the readers and of a vault. Each handler gets what it uses.
import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonProving
import DaemonService
import DaemonVaults
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
  let attempt: Attempt
  let sessions: SessionRegistry

  typealias Interruption = ClientConnection.Interruption

  /// Answers an `authenticate` request.
  static func serve(_ client: ClientConnection, _ prover: Prover, _ sessions: SessionRegistry) throws(Interruption) {
    let (named, request) = try client.read { fields throws(FormatError) in
      let request = try AuthenticateRequest(parsing: fields)
      return (User(named: request.user), EvaluationRequest(request))
    }
    guard let user = named, client.peer.mayActAs(user.uid) else {
      // Whether or not the client stays for the answer.
      if let named { Attempt(prover, for: named, by: client, request).record(.refused(.authenticate)) }
      // An unknown name is answered as a user without fingers is, so that nobody can list users by asking.
      return try client.send(
        .verdict(named == nil ? .biometryNotEnrolled : .invalidContext, .none, token: Span(), authtok: Span()))
    }
    let login = Login(attempt: Attempt(prover, for: user, by: client, request), sessions: sessions)
    do throws(Interruption) { try login.run() } catch {
      login.attempt.record(.ended(error.verdict))
      throw error
    }
  }

  private var client: ClientConnection { attempt.client }
  private var vault: Vault { attempt.prover.vault }
  private var audit: AuditTrail { attempt.prover.audit }

  private func run() throws(Interruption) {
    // Made while there is time: between the verdict and the reply nothing waits for the kernel.
    guard let token = UnreleasedToken() else { return try end(.biometryNotAvailable) }
    let configuration = attempt.prover.configuration
    let getsSecret = client.peer.isRoot && configuration.releasesLoginSecret(to: attempt.request.service)
    let secret: LoginSecret = getsSecret ? vault.loginSecret(of: attempt.user) : .none
    let authentication = Authentication(
      attempt, for: .login(keepsLoginSecret: getsSecret && configuration.keepsLoginSecret))
    // A finger proves something about the fingers as they are now. Nobody else asks for that.
    let fingers = opensSeat ? vault.domainState(of: attempt.user) : []
    let awaited = attempt.prover.awaited
    let isAwaited = awaited.isAwaited(attempt.user.uid, by: attempt.request.service) && attempt.policy.allows != .off
    let use: Authentication.Use = { evidence, finger throws(Interruption) in
      if isAwaited, evidence.method == .passcode { awaited.prove(attempt.user.uid) }
      noteUnlock(evidence, by: fingers)
      try release(evidence, with: token, finger, secret)
    }
    let verdict =
      isAwaited ? try authentication.runPasscode(.administration, use) : try authentication.run(required: secret.required, use)
    if verdict != .success { try end(verdict) }
  }

  /// Turns evidence into a token, unless the service gets none, and hands both to the client, with the login secret where there is
  /// one: the only way to success.
  private func release(
    _ evidence: consuming AuthenticationEvidence, with token: borrowing UnreleasedToken, _ finger: Finger?,
    _ secret: LoginSecret
  ) throws(Interruption) {
    let method = evidence.method
    var released: SecretBytes?
    var secret = secret
    // The first finger after a restart has opened the vault.
    if case .closed = secret, method == .fingerprint { secret = vault.loginSecret(of: attempt.user) }
    if case .releasable(let secret) = secret { released = vault.releaseLoginSecret(secret, for: evidence) }
    let getsToken = attempt.policy.getsToken
    var events: [Event] = [.authenticated(method, finger)]
    if getsToken {
      sessions.release(token, for: evidence, user: attempt.user.name, service: attempt.request.service)
      events.append(.released(method, token.identifier))
    }
    switch released {
    case .some(let value):
      events.append(.loginSecretReleased)
      audit.announce(events, of: attempt.user, by: attempt.requester)
      try client.send(.verdict(.success, method, token: getsToken ? token.secret.span : Span(), authtok: value.span))
    case .none:
      audit.announce(events, of: attempt.user, by: attempt.requester)
      try client.send(.verdict(.success, method, token: getsToken ? token.secret.span : Span(), authtok: Span()))
    }
    // The host goes first where it was woken on this processor: what is left to do here nobody waits for.
    sched_yield()
  }

  /// `fingers`: what stood for the user's fingers before one was asked for.
  private func noteUnlock(_ evidence: borrowing AuthenticationEvidence, by fingers: [UInt8]) {
    guard evidence.method == .fingerprint, opensSeat else { return }
    attempt.prover.unlocks.note(evidence, on: vault.basis(of: attempt.user, fingers: fingers))
    // What such a finger releases, somebody may wait for.
    attempt.prover.readers.changes.ring(attempt.user.uid)
  }

  /// Whether a service of the system logs somebody in at the seat, or unlocks their screen.
  private var opensSeat: Bool {
    client.origin.source == .service && attempt.prover.configuration.isAtSeat(attempt.request.service)
  }

  private func end(_ verdict: Verdict) throws(Interruption) {
    try client.send(.verdict(verdict, .none, token: Span(), authtok: Span()))
    attempt.record(.ended(verdict))
  }
}

extension ClientConnection.Interruption {
  /// How an evaluation ended that it interrupted.
  var verdict: Verdict {
    switch self {
    case .closed: .appCancel
    case .misuse, .denied: .invalidContext
    case .stopping, .displaced: .systemCancel
    }
  }
}

extension EvaluationRequest {
  /// An `authenticate` request with its texts in a form to keep.
  fileprivate init(_ request: borrowing AuthenticateRequest) {
    let host = EvaluationRequest.harmless(request.remoteHost)
    self.init(
      request.policy, timeout: Int64(request.timeout) * 1000, service: EvaluationRequest.harmless(request.service),
      terminal: EvaluationRequest.harmless(request.terminal), isRemote: !host.isEmpty && host != "localhost",
      question: request.question)
  }

  /// A name as it may be shown to other users and logged: anybody may choose it.
  static func harmless(_ bytes: Span<UInt8>) -> String {
    ForeignText.harmless(String(decoding: Array(copying: bytes).prefix(64), as: UTF8.self), replacement: "?")
  }
}
