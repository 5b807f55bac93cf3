import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonPasscodes
import DaemonService
import DaemonTokens
import DaemonVaults
import SignetBytes
import SignetMemory
import SignetTokens
import SignetVocabulary
import SignetWire

/// What is asked with the token of a session, or with a refresh token: whose it is, signed access tokens, keys to seal with.
struct TokenRequests {
  let accounts: Accounts
  let vault: Vault
  let audit: AuditTrail
  let sessions: SessionRegistry
  let issuer: Issuer
  let chains: RefreshRegistry
  let standing: AccountStanding
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  /// Tells whose session it is. Whoever was given the token may ask: to have it is what counts.
  func introspect() throws(Interruption) {
    let session = try client.readSecret { fields throws(FormatError) in
      sessions.use(try SessionTokenRequest(.introspect, parsing: fields).token)
    }
    guard let session else { return client.refuse(.noOpenSession) }
    if try isRefusedByAccount(session) { return }
    try client.send(.session(SessionRow(session, sessions.limits)))
    try client.send(AdministrationReply.done)
  }

  /// Ends the user's other sessions: for who finds one that they do not know.
  func revokeOthers() throws(Interruption) {
    let own = try client.readSecret { fields throws(FormatError) in
      sessions.use(try SessionTokenRequest(.revokeOthers, parsing: fields).token)
    }
    guard let own, isOwner(of: own) else { return client.refuse(.noOpenSession) }
    for session in sessions.revokeOthers(than: own) { record(.sessionRevoked(session.identifier), of: session) }
    vault.closeEnded()
    try client.send(AdministrationReply.done)
  }

  // MARK: - access tokens

  /// Issues the first access token of a kind, with a refresh token where one is wanted.
  func issue() throws(Interruption) {
    let wanted = try client.readSecret { fields throws(FormatError) in
      let request = try IssueTokenRequest(parsing: fields)
      guard let audience = String(validating: Array(copying: request.audience), as: UTF8.self) else { throw .badValue }
      return (
        session: sessions.use(request.token), audience: audience, isRefreshable: request.isRefreshable,
        confirmation: Array(copying: request.confirmation)
      )
    }
    guard let session = wanted.session, isOwner(of: session) else { return client.refuse(.noOpenSession) }
    if try isRefusedByAccount(session) { return }
    guard mayIssue(to: session) else { return client.refuse(.locked) }
    do throws(Issuer.Failure) {
      let issued = try issuer.issue(
        to: session, endsBy: sessions.limits.expiry(of: session), for: wanted.audience, confirmation: wanted.confirmation)
      if let refusal = refusalSince(session) { return client.refuse(refusal) }
      guard wanted.isRefreshable else { return try finish(issued, nil, session) }
      endOrphans()
      let token = try orState { () throws(SystemError) in
        try chains.begin(for: session, audience: wanted.audience, confirmation: wanted.confirmation)
      }
      guard let token else { throw .exhausted }
      try finish(issued, token, session)
    } catch { refuse(error) }
  }

  /// Exchanges a refresh token.
  func refresh() throws(Interruption) {
    let peer = client.peer.uid
    let found = try client.readSecret { fields throws(FormatError) in
      let request = try RefreshTokenRequest(parsing: fields)
      return Result { () throws(RefreshChains.Failure) in
        try chains.chain(of: request.token, confirmation: request.confirmation, peer: peer)
      }
    }
    switch found {
    case .success(let chain): try refresh(chain)
    case .failure(.unknown): client.refuse(.noOpenSession)
    case .failure(.reused(let chain)): refuseReused(chain)
    }
  }

  private func refuseReused(_ chain: RefreshChain) {
    if let session = sessions.session(chain.session) { record(.refreshTokenReused(chain.session), of: session) }
    client.refuse(.refreshTokenReused)
  }

  private func refresh(_ chain: RefreshChain) throws(Interruption) {
    guard let session = sessions.session(chain.session) else {
      endOrphans()
      return client.refuse(.noOpenSession)
    }
    // The token stays good: after the passcode, and with an open account, it refreshes.
    if try isRefusedByAccount(session) { return }
    guard mayIssue(to: session) else { return client.refuse(.locked) }
    do throws(Issuer.Failure) {
      let issued = try issuer.issue(
        to: session, endsBy: sessions.limits.expiry(of: session), for: chain.audience, confirmation: chain.confirmation)
      if let refusal = refusalSince(session) { return client.refuse(refusal) }
      let next = try orState { () throws(SystemError) in try chains.rotate(chain) }
      guard let next else { return refuseReused(chain) }
      try finish(issued, next, session)
    } catch { refuse(error) }
  }

  /// Ends a chain, as RFC 7009 has it: whether there was one is not said.
  func endRefresh() throws(Interruption) {
    try client.readSecret { fields throws(FormatError) in
      chains.end(try EndRefreshRequest(parsing: fields).token, peer: client.peer.uid)
    }
    try client.send(AdministrationReply.done)
  }

  /// The public keys, for everybody.
  func keySet() throws(Interruption) {
    let text: String
    do throws(Issuer.Failure) {
      let (issuer, jwks) = try issuer.keySet()
      text = "{\"issuer\":\"\(issuer)\",\"jwks\":\(jwks)}"
    } catch { return refuse(error) }
    guard var value = SecretBytes(capacity: text.utf8.count), value.append(Array(text.utf8).span) else {
      return client.refuse(.noMemory)
    }
    try client.send(value: value.span)
    try client.send(AdministrationReply.done)
  }

  private func finish(_ issued: Issuer.Issued, _ next: consuming RefreshToken?, _ session: Session) throws(Issuer.Failure) {
    record(.accessTokenIssued(session.identifier), of: session)
    let token = Array(issued.token.utf8)
    // Who does not stay for it has the next one issued.
    try? client.send { packet throws(FormatError) in
      switch next {
      case .some(let next):
        try IssuedReply(lifetime: issued.lifetime, refreshToken: next.secret.span, accessToken: token.span)
          .write(into: &packet)
      case .none:
        try IssuedReply(lifetime: issued.lifetime, refreshToken: Span(), accessToken: token.span).write(into: &packet)
      }
    }
    try? client.send(AdministrationReply.done)
  }

  // MARK: - seals

  /// A key for what a program of the session seals.
  func sealingKey() throws(Interruption) {
    var refusal = Refusal.noOpenSession
    var key: SessionSeal.WrappedKey?
    // The request stays where it is while the account is asked about.
    let asking = try client.read { fields throws(FormatError) in sessions.use(try SealingKeyRequest(parsing: fields).token) }
    guard let asking, isOwner(of: asking) else { return client.refuse(refusal) }
    if try isRefusedByAccount(asking) { return }
    try client.readSecret { fields throws(FormatError) in
      let request = try SealingKeyRequest(parsing: fields)
      guard let session = sessions.use(request.token), isOwner(of: session) else { return }
      guard mayIssue(to: session) else { return refusal = .locked }
      do throws(SystemError) {
        guard let seal = try SessionSeal(sessions, session, token: request.token) else { return refusal = .noMemory }
        key = request.wrapped.isEmpty ? seal.newKey() : seal.key(request.wrapped)
        refusal = request.wrapped.isEmpty ? .noMemory : .sealBroken
      } catch { refusal = .stateUnusable(error) }
    }
    switch key.take() {
    case .none: client.refuse(refusal)
    case .some(let key):
      try client.send { packet throws(FormatError) in
        try SealingKeyReply(key: key.key.secret.span, wrapped: key.wrapped.span).write(into: &packet)
      }
      try client.send(AdministrationReply.done)
    }
  }

  // MARK: - who may

  /// Other users are not served, whatever token they have of somebody's: it was not meant for that.
  private func isOwner(of session: Session) -> Bool { client.peer.mayActAs(session.uid) }

  /// Whether the account of the session's user is not open, of which the client is told then.
  private func isRefusedByAccount(_ session: Session) throws(Interruption) -> Bool {
    if try standing.refuses(User(uid: session.uid, name: session.user), client) { return true }
    // A directory may take its time.
    let hasEnded = sessions.session(session.identifier) == nil
    if hasEnded { client.refuse(.noOpenSession) }
    return hasEnded
  }

  /// Not while the user's own lock, or too many misses, ask for the passcode.
  private func mayIssue(to session: Session) -> Bool {
    switch accounts[session.uid].status.lock {
    case .strikes, .requested, .stateUnusable: false
    default: true
    }
  }

  /// Why a token that was signed is not handed out after all. The TPM may take seconds to sign, and meanwhile the session may end, or
  /// its user be locked.
  private func refusalSince(_ session: Session) -> Refusal? {
    guard sessions.session(session.identifier) != nil else { return .noOpenSession }
    return mayIssue(to: session) ? nil : .locked
  }

  private func endOrphans() { chains.end { sessions.session($0.session) == nil } }

  private func orState<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(Issuer.Failure) -> Value {
    do throws(SystemError) { return try body() } catch { throw .state(error) }
  }

  private func refuse(_ failure: Issuer.Failure) {
    switch failure {
    case .state(let error): client.refuse(.stateUnusable(error))
    case .signing(.noLibrary): client.refuse(.noSigningLibrary)
    case .signing(.refused), .exhausted: client.refuse(.noMemory)
    }
  }

  private func record(_ event: Event, of session: Session) {
    audit.record(
      event, of: User(uid: session.uid, name: session.user),
      by: Requester(client, service: session.service, terminal: session.terminal))
  }
}

extension SessionRow {
  /// What is told of an open session.
  init(_ session: Session, _ limits: SessionLimits) {
    self.init(
      identifier: session.identifier.text, user: session.user, uid: session.uid, service: session.service,
      terminal: session.terminal, method: session.method, opened: session.since, used: session.used,
      expires: limits.expiry(of: session))
  }
}
