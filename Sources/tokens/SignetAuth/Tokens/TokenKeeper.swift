import SignetJSON
import Synchronization

/// Holds the tokens of one sign-in: in memory, and what lives long in the storage. JWT, OAuth2 and sessions stand on it.
///
/// The order keeps at most one sign-in. A refresh token that the server rotated is stored, over the old one, before anybody
/// hears of it. A crash in between leaves the old one, which the server takes for stolen: the sign-in is lost, and nothing
/// else.
final class TokenKeeper: Sendable {
  struct State {
    var held: HeldTokens?
    /// Counts sign-ins and sign-outs: what was asked for before one has no effect after it.
    var generation = 0
    /// Counts the locks: what was asked for before one is stored, and not held.
    var locks = 0
    /// Counts what was held.
    var number = 0
    /// Counts the logins that began; the last one counts.
    var logins = 0
    /// After a refresh ahead of time failed: when the next one may be tried.
    var nextTry = 0.0
  }

  let issuer: any TokenIssuer
  let key: TokenKey
  let broadcast = AuthBroadcast()
  let storage: SerialStorage
  private let time: any TimeSource
  private let jitter: @Sendable () -> Double
  let state = Mutex(State())
  private let flight = SingleFlight<HeldTokens>()

  init(
    _ issuer: any TokenIssuer, _ storage: any TokenStorage, _ key: TokenKey, time: any TimeSource,
    jitter: @escaping @Sendable () -> Double
  ) {
    self.issuer = issuer
    self.key = key
    self.time = time
    self.jitter = jitter
    self.storage = SerialStorage(storage)
  }

  var held: HeldTokens? { state.withLock { $0.held } }

  /// Signs in.
  func login(_ credentials: AuthCredentials) async throws(AuthError) -> HeldTokens {
    let login = state.withLock { state in
      state.logins += 1
      return state.logins
    }
    let grant = try await AuthError.typed { try await self.issuer.issue(for: credentials) }
    guard grant.user != nil else { throw .invalidResponse(host: key.service, what: "it does not say who signed in") }
    let (adopted, old) = await storage.run { storage in
      let old = self.state.withLock { $0.logins == login ? $0.held?.refreshToken : nil }
      return (self.adopt(grant, storage, following: nil, mayAdopt: { $0.logins == login }), old)
    }
    guard let adopted else {
      await discard(grant)
      throw .cancelled
    }
    if let old, old != grant.refreshToken { try? await issuer.revoke(old) }
    return adopted
  }

  /// A token for a request: the one that is held, or a new one where it is about to expire, or is the one that the server did
  /// not take.
  func tokens(insteadOf rejected: String? = nil) async throws(AuthError) -> HeldTokens {
    let held = self.held
    guard let held, held.accessToken != rejected else { return try await refresh(after: held) }
    switch held.freshness(at: time.now) {
    case .fresh: return held
    case .expired: return try await refresh(after: held)
    case .refreshSoon: return try await refreshAhead(held)
    }
  }

  /// What is held is still good: a server that is down for a while is not noticed, and is not asked for each request.
  private func refreshAhead(_ held: HeldTokens) async throws(AuthError) -> HeldTokens {
    let now = time.now
    guard state.withLock({ $0.nextTry <= now }) else { return held }
    do throws(AuthError) { return try await refresh(after: held) } catch {
      if case .loginRequired = error { throw error }
      if error == .cancelled { throw error }
      state.withLock { $0.nextTry = now + min(30, ((held.expiration ?? now) - now) / 4) }
      return held
    }
  }

  /// New tokens; many callers share one request, and nobody makes another who saw only the old ones.
  func refresh() async throws(AuthError) -> HeldTokens { try await refresh(after: held) }

  private func refresh(after seen: HeldTokens?) async throws(AuthError) -> HeldTokens {
    try await AuthError.typed {
      try await self.flight.run {
        if let held = self.held, held.number != seen?.number { return held }
        return try await self.refreshNow()
      }
    }
  }

  private func refreshNow() async throws(AuthError) -> HeldTokens {
    let (generation, locks) = state.withLock { ($0.generation, $0.locks) }
    let old = try await signIn(generation)
    let grant: TokenGrant
    do throws(AuthError) {
      grant = try await AuthError.typed { try await self.issuer.refresh(old.refreshToken) }
    } catch {
      if case .loginRequired(let reason) = error { await lose(reason, generation, erasing: true) }
      throw error
    }
    // OpenID Connect Core 1.0, 12.2, and a matter of course: whose sign-in it is does not change.
    guard grant.user.map({ $0.id.hasSameBytes(as: old.user.id) }) ?? true else {
      await discard(grant)
      await lose(.refusedByServer, generation, erasing: true)
      throw .invalidResponse(host: key.service, what: "tokens of another user")
    }
    let adopted = await storage.run { storage in
      self.adopt(grant, storage, following: old, locks: locks, mayAdopt: { $0.generation == generation })
    }
    guard let adopted else {
      await discard(grant)
      throw .cancelled
    }
    guard state.withLock({ $0.locks == locks }) else { throw .loginRequired(.vaultLocked) }
    return adopted
  }

  /// The refresh token: from memory, or released by the storage.
  private func signIn(_ generation: Int) async throws(AuthError) -> StoredSignIn {
    if let held = state.withLock({ $0.generation == generation ? $0.held : nil }), let token = held.refreshToken {
      return StoredSignIn(refreshToken: token, user: held.user)
    }
    let released: Result<StoredSignIn?, TokenStorageError> = await storage.run { storage in
      Result { () throws(TokenStorageError) in try storage.released(for: self.key).map(StoredSignIn.init) }
    }
    switch released {
    case .success(let signIn?): return signIn
    case .success(nil):
      await lose(.noCredential, generation, erasing: false)
      throw .loginRequired(.noCredential)
    case .failure(.locked):
      await lose(.vaultLocked, generation, erasing: false)
      throw .loginRequired(.vaultLocked)
    case .failure(.fingersChanged):
      await lose(.fingersChanged, generation, erasing: true)
      throw .loginRequired(.fingersChanged)
    case .failure(let error): throw .storage(error)
    }
  }

  /// Takes what the issuer gave, on the storage's queue; `nil` where somebody signed in or out meanwhile.
  ///
  /// - Parameter locks: the locks before it was asked for; after one more it is stored, and not held.
  func adopt(
    _ grant: TokenGrant, _ storage: any TokenStorage, following old: StoredSignIn?, locks: Int? = nil,
    mayAdopt: (State) -> Bool
  ) -> HeldTokens? {
    guard state.withLock({ mayAdopt($0) }), let given = grant.user ?? old?.user else { return nil }
    // A refresh may say less than the login did.
    let user = User(id: given.id, name: given.name ?? old?.user.name)
    let refreshToken = grant.refreshToken ?? old?.refreshToken
    let isStored = keep(refreshToken.map { StoredSignIn(refreshToken: $0, user: user) }, storage, old: old)
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let held = HeldTokens(
      grant, number: number, refreshToken: refreshToken, user: user, isStored: isStored,
      idToken: grant.idToken ?? (old == nil ? nil : earlierIDToken), now: time.now, jitter: jitter())
    let (isAdopted, isHeld) = state.withLock { state in
      // A sign-out that came just now deletes, behind this on the queue, what was stored.
      guard mayAdopt(state) else { return (false, false) }
      if old == nil { state.generation += 1 }
      guard locks == nil || locks == state.locks else { return (true, false) }
      state.held = held
      state.nextTry = 0
      return (true, true)
    }
    guard isAdopted else { return nil }
    if isHeld { broadcast.set(.signedIn(user)) }
    return held
  }

  /// A refresh that brings no ID token leaves the one before good. Only what has expired goes: who asks then is not sent to the provider
  /// again and again.
  private var earlierIDToken: TimedToken? {
    let now = time.now
    return held?.idToken.flatMap { $0.isUsable(at: now) ? $0 : nil }
  }

  /// Whether the sign-in is stored now. Where it cannot be, the old one goes: the server would take its use for a theft.
  private func keep(_ new: StoredSignIn?, _ storage: any TokenStorage, old: StoredSignIn?) -> Bool {
    if let new, new == old, held?.isStored != false { return true }
    if let new, (try? storage.keep(new.text, for: key)) != nil { return true }
    try? storage.erase(for: key)
    return false
  }

  func lose(_ reason: LoginReason, _ generation: Int, erasing: Bool) async {
    await storage.run { storage in
      let isCurrent = self.state.withLock { state in
        guard state.generation == generation else { return false }
        state.held = nil
        return true
      }
      guard isCurrent else { return }
      if erasing { try? storage.erase(for: self.key) }
      // Who never signed in has lost nothing.
      if reason == .noCredential, self.broadcast.state == .signedOut { return }
      self.broadcast.set(.loginRequired(reason))
    }
  }

  /// Of two sign-ins one is ended at once.
  private func discard(_ grant: TokenGrant) async {
    if let token = grant.refreshToken { try? await issuer.revoke(token) }
  }
}
