import SignetJSON
import Synchronization

/// Holds the tokens of one sign-in: in memory, and what lives long in the storage. JWT, OAuth2 and sessions stand on it.
///
/// Nothing that signs in is lost but where the server leaves no choice. That a refresh is asked for is stored before it is sent, and what
/// is not stored is not sent. The refresh token of the answer is stored before anything else of the answer is looked at, with the one
/// before it. Where the server does not take the newest, the one before is tried: the answer may be missing that had a newer one. An
/// error that may pass erases nothing; what the server has refused twice is erased.
final class TokenKeeper: Sendable {
  struct State {
    var held: HeldTokens?
    /// What gets the next ones, in memory as long as the process may refresh without asking; as it is stored, where it is.
    var signIn: StoredSignIn?
    /// What the storage has, as far as it is in memory.
    var stored: StoredSignIn?
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

    mutating func forget() { (held, signIn, stored) = (nil, nil, nil) }
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
    let old = try await record(try await signIn(generation), generation, locks)
    let (grant, used) = try await ask(by: old, generation, locks)
    // OpenID Connect Core 1.0, 12.2, and a matter of course: whose sign-in it is does not change.
    guard grant.user.map({ $0.id.hasSameBytes(as: old.user.id) }) ?? true else {
      await discard(grant)
      await lose(.refusedByServer, generation, erasing: true)
      throw .invalidResponse(host: key.service, what: "tokens of another user")
    }
    let adopted = await storage.run { storage in
      self.adopt(grant, storage, following: (old, used), locks: locks, mayAdopt: { $0.generation == generation })
    }
    guard let adopted else {
      await discard(grant)
      throw .cancelled
    }
    guard state.withLock({ $0.locks == locks }) else { throw .loginRequired(.vaultLocked) }
    return adopted
  }

  /// Has it on record that a refresh is about to be sent: its answer may be the only copy of what signs in, and would be lost with a
  /// storage that takes nothing.
  private func record(_ signIn: StoredSignIn, _ generation: Int, _ locks: Int) async throws(AuthError) -> StoredSignIn {
    let asked = signIn.asked
    // A session's cookies stay good. What was never stored is in memory alone anyhow.
    guard key.kind == .refresh, !signIn.isAsked, held?.isStored != false else { return asked }
    let error: TokenStorageError? = await storage.run { storage in
      do throws(TokenStorageError) { try self.write(asked, storage, locks, isGiven: false) } catch { return error }
      self.hold(asked, generation, locks)
      return nil
    }
    guard let error else { return asked }
    guard error == .locked else { throw .storage(error) }
    await lose(.vaultLocked, generation, erasing: false)
    throw .loginRequired(.vaultLocked)
  }

  /// Asks the server, by the newest token and then by the one before.
  ///
  /// - Returns: what it gave, and for which.
  private func ask(by old: StoredSignIn, _ generation: Int, _ locks: Int) async throws(AuthError) -> (TokenGrant, String) {
    for token in old.candidates {
      do throws(AuthError) { return (try await exchange(token, of: old, generation, locks), token) } catch {
        guard case .loginRequired = error else { throw error }
      }
    }
    await noteRefusal(of: old, generation, locks)
    throw .loginRequired(.refusedByServer)
  }

  private func exchange(
    _ token: String, of old: StoredSignIn, _ generation: Int, _ locks: Int
  ) async throws(AuthError) -> TokenGrant {
    var isAgain = false
    while true {
      do throws(AuthError) {
        return try await AuthError.typed {
          try await self.issuer.refresh(token) { next in await self.keep(next, after: token, of: old, generation, locks) }
        }
      } catch {
        // The connection broke, and the answer may have got lost: many servers answer a second time within seconds (RFC 9700, 4.14.2).
        guard case .network(.unreachable) = error, !isAgain else { throw error }
        isAgain = true
      }
    }
  }

  /// Stores a refresh token that the server just gave.
  private func keep(_ next: String, after used: String, of old: StoredSignIn, _ generation: Int, _ locks: Int) async {
    await storage.run { storage in
      guard self.state.withLock({ $0.generation == generation }) else { return }
      let new = self.successor(of: old, by: next, after: used, user: old.user)
      try? self.write(new, storage, locks)
      self.hold(new, generation, locks)
    }
  }

  /// The server took nothing of it. What it refuses once more is erased.
  private func noteRefusal(of old: StoredSignIn, _ generation: Int, _ locks: Int) async {
    let refused = old.refused
    // Who a session's cookies are not good for is signed out.
    guard refused.refusals < 2, key.kind == .refresh else { return await lose(.refusedByServer, generation, erasing: true) }
    await lose(.refusedByServer, generation, erasing: false)
    await storage.run { storage in
      guard self.state.withLock({ $0.generation == generation }) else { return }
      try? self.write(refused, storage, locks, isGiven: false)
      self.hold(refused, generation, locks)
    }
  }

  /// Has it in memory, where nothing was locked or signed out since.
  private func hold(_ signIn: StoredSignIn, _ generation: Int, _ locks: Int) {
    state.withLock { if $0.generation == generation, $0.locks == locks { $0.signIn = signIn } }
  }

  /// The refresh token: from memory, or released by the storage.
  private func signIn(_ generation: Int) async throws(AuthError) -> StoredSignIn {
    if let signIn = state.withLock({ $0.generation == generation ? $0.signIn : nil }) { return signIn }
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
  /// - Parameters:
  ///   - following: what it was asked for by, and which token of it; `nil` after a login.
  ///   - locks: the locks before it was asked for; after one more it is stored, and not held.
  func adopt(
    _ grant: TokenGrant, _ storage: any TokenStorage, following: (old: StoredSignIn, used: String)?, locks: Int? = nil,
    mayAdopt: (State) -> Bool
  ) -> HeldTokens? {
    let old = following?.old
    guard state.withLock({ mayAdopt($0) }), let given = grant.user ?? old?.user else { return nil }
    // A refresh may say less than the login did.
    let user = User(id: given.id, name: given.name ?? old?.user.name)
    let signIn =
      following.map { successor(of: $0.old, by: grant.refreshToken, after: $0.used, user: user) }
      ?? grant.refreshToken.map { StoredSignIn(refreshToken: $0, user: user) }
    let isStored = isKept(signIn, storage, locks, isFirst: old == nil)
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let held = HeldTokens(
      grant, number: number, refreshToken: signIn?.refreshToken, user: user, isStored: isStored,
      idToken: grant.idToken ?? (old == nil ? nil : earlierIDToken), now: time.now, jitter: jitter())
    let (isAdopted, isHeld) = state.withLock { state in
      // A sign-out that came just now deletes, behind this on the queue, what was stored.
      guard mayAdopt(state) else { return (false, false) }
      if old == nil { state.generation += 1 }
      guard locks == nil || locks == state.locks else { return (true, false) }
      state.held = held
      state.signIn = signIn
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

  /// Of a session the cookies of before are good for nothing.
  private func successor(of old: StoredSignIn, by next: String?, after used: String, user: User) -> StoredSignIn {
    var new = old.followed(by: next, after: used, user: user)
    if key.kind != .refresh { new.previous = nil }
    return new
  }

  /// Whether the sign-in is stored now. Where it cannot be after a login, what was there before is another sign-in's, and goes; after a
  /// refresh it stays: the server may take it yet.
  private func isKept(_ new: StoredSignIn?, _ storage: any TokenStorage, _ locks: Int?, isFirst: Bool) -> Bool {
    if let new {
      if state.withLock({ $0.stored == new }) || (try? write(new, storage, locks)) != nil { return true }
      guard isFirst else { return false }
    }
    try? storage.erase(for: key)
    return false
  }

  /// On the storage's queue.
  ///
  /// - Parameter locks: those before; after one more it is not remembered what was written.
  private func write(
    _ new: StoredSignIn, _ storage: any TokenStorage, _ locks: Int?, isGiven: Bool = true
  ) throws(TokenStorageError) {
    state.withLock { $0.stored = nil }
    if isGiven { try storage.keepGiven(new.text, for: key) } else { try storage.keep(new.text, for: key) }
    state.withLock { if locks == nil || $0.locks == locks { $0.stored = new } }
  }

  func lose(_ reason: LoginReason, _ generation: Int, erasing: Bool) async {
    await storage.run { storage in
      let isCurrent = self.state.withLock { state in
        guard state.generation == generation else { return false }
        state.forget()
        return true
      }
      guard isCurrent else { return }
      if erasing { try? storage.erase(for: self.key) }
      // Who never signed in has lost nothing.
      if reason == .noCredential, self.broadcast.state == .signedOut { return }
      self.broadcast.set(.loginRequired(reason))
    }
  }

  /// Waits until no refresh is under way: what comes of it is stored then.
  func settle() async { await flight.settle() }

  /// Of two sign-ins one is ended at once.
  private func discard(_ grant: TokenGrant) async {
    if let token = grant.refreshToken { try? await issuer.revoke(token) }
  }
}
