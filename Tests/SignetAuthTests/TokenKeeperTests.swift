import SignetAuthTestKit
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// What JWT, OAuth2 and sessions have in common, over an issuer that rotates and takes a second use for a theft.
@Suite struct TokenKeeperTests {
  private let storage = MemoryTokenStorage()
  private let time = ManualTime()
  private let key = TokenKey(service: "issuer", account: "alice", kind: .refresh)
  private let alice = User(id: "1", name: "alice")

  private func keeper(_ issuer: ScriptedIssuer, jitter: Double = 0) -> TokenKeeper {
    TokenKeeper(issuer, storage, key, time: time, jitter: { jitter })
  }

  private func stored() throws -> String? { try storage.tokens[key].map { try StoredSignIn($0).refreshToken } }

  @Test func `a login is stored, held and told of`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    let told = Mutex<[AuthState]>([])
    let observation = keeper.broadcast.observe { state in told.withLock { $0.append(state) } }
    let held = try await keeper.login(.local)
    #expect(held.accessToken == "access-1" && held.user == alice && held.isStored && held.expiration == time.now + 300)
    #expect(try stored() == "refresh-1")
    #expect(told.withLock { $0 } == [.signedOut, .signedIn(alice)])
    withExtendedLifetime(observation) {}
  }

  @Test func `a hundred callers make one refresh`() async throws {
    let gate = Gate()
    let issuer = ScriptedIssuer { if case .refresh = $0 { await gate.pass() } }
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    time.advance(by: 400)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { try await keeper.tokens().accessToken } }
      await gate.arrivals(1)
      gate.open()
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens == ["access-2"] && issuer.calls == [.issue, .refresh("refresh-1")])
  }

  @Test func `a hundred callers whose token was not taken make one refresh`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    let rejected = try await keeper.login(.local).accessToken
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { _ = try await keeper.tokens(insteadOf: rejected) } }
      try await group.waitForAll()
    }
    #expect(issuer.calls == [.issue, .refresh("refresh-1")])
  }

  @Test func `a thousand sessions whose tokens expire at once make one refresh each`() async throws {
    let issuers = (0..<1000).map { _ in ScriptedIssuer() }
    let keepers = issuers.enumerated().map { number, issuer in
      TokenKeeper(
        issuer, storage, TokenKey(service: key.service, account: "\(number)", kind: .refresh), time: time, jitter: { 0 })
    }
    for keeper in keepers { _ = try await keeper.login(.local) }
    time.advance(by: 400)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for keeper in keepers { for _ in 0..<5 { group.addTask { _ = try await keeper.tokens() } } }
      try await group.waitForAll()
    }
    for issuer in issuers { #expect(issuer.calls == [.issue, .refresh("refresh-1")]) }
  }

  @Test func `tokens that were got at once are renewed over a seventh of their life`() {
    let times = (0...100).map { number in
      HeldTokens(
        TokenGrant(accessToken: "a", lifetime: 300), number: 1, refreshToken: nil, user: User(id: "1"), isStored: true,
        idToken: nil, now: 0, jitter: Double(number) / 100
      ).refreshTime ?? 0
    }
    #expect(times.first == 225 && times.last == 270 && times == times.sorted() && Set(times).count == 101)
  }

  /// A session's token is the same after its standing was asked for.
  @Test func `a hundred callers make one request also where the token stays the same`() async throws {
    let gate = Gate()
    let issuer = SteadyIssuer(gate)
    let keeper = TokenKeeper(issuer, storage, key, time: time, jitter: { 0 })
    _ = try await keeper.login(.local)
    time.advance(by: 400)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { _ = try await keeper.tokens() } }
      await gate.arrivals(1)
      gate.open()
      try await group.waitForAll()
    }
    #expect(issuer.refreshes.load(ordering: .relaxed) == 1)
  }

  @Test func `a caller who gives up does not stop the refresh of the others`() async throws {
    let gate = Gate()
    let issuer = ScriptedIssuer { if case .refresh = $0 { await gate.pass() } }
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    let first = Task { try await keeper.refresh() }
    await gate.arrivals(1)
    first.cancel()
    gate.open()
    #expect(try await keeper.refresh().refreshToken == issuer.current)
    #expect(try stored() == issuer.current)
  }

  @Test func `the refresh comes ahead of time, and its failure is not noticed while the token is good`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    time.advance(by: 224)
    #expect(try await keeper.tokens().accessToken == "access-1")
    time.advance(by: 1)
    issuer.fail(.server(host: "issuer", status: 503))
    #expect(try await keeper.tokens().accessToken == "access-1")
    #expect(issuer.calls.count == 2)
    // It is not asked for each request.
    #expect(try await keeper.tokens().accessToken == "access-1")
    #expect(issuer.calls.count == 2)
    time.advance(by: 71)
    await #expect(throws: AuthError.server(host: "issuer", status: 503)) { try await keeper.tokens() }
    issuer.fail(nil)
    #expect(try await keeper.tokens().accessToken == "access-2")
  }

  @Test(arguments: [(0.0, 225.0), (1.0, 270.0)])
  func `when it comes is spread over the last quarter`(jitter: Double, seconds: Double) async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer, jitter: jitter)
    let held = try await keeper.login(.local)
    #expect(held.freshness(at: time.now + seconds - 1) == .fresh)
    #expect(held.freshness(at: time.now + seconds) == .refreshSoon)
    #expect(held.freshness(at: time.now + 295) == .expired)
  }

  @Test func `that a token is asked for is stored before, and the next one over it before anybody has the access token`()
    async throws
  {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    let text = try #require(storage.tokens[key])
    _ = try await keeper.refresh()
    let asked = StoredSignIn(refreshToken: "refresh-1", user: alice).asked.text
    let next = StoredSignIn(refreshToken: "refresh-2", user: alice, previous: "refresh-1").text
    #expect(storage.calls == [.store(key, text), .store(key, asked), .store(key, next)])
    #expect(storage.tokens == [key: next])
  }

  /// The process ended between the server's rotation and the store: what is stored was used.
  @Test
  func `a crash after the rotation loses the login where the server takes nothing twice, and only when it has said so twice`()
    async throws
  {
    let issuer = ScriptedIssuer()
    _ = try await keeper(issuer).login(.local)
    _ = try await issuer.refresh("refresh-1")
    let after = keeper(issuer)
    await #expect(throws: AuthError.loginRequired(.refusedByServer)) { try await after.tokens() }
    #expect(try stored() == "refresh-1")
    await #expect(throws: AuthError.loginRequired(.refusedByServer)) { try await keeper(issuer).tokens() }
    #expect(storage.tokens.isEmpty && issuer.current == nil)
    #expect(after.broadcast.state == .loginRequired(.refusedByServer))
  }

  @Test func `where the newest is not taken the one before is, and where neither is both are tried again`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    _ = try await keeper.refresh()
    issuer.refuse(["refresh-2"])
    #expect(try await keeper.refresh().accessToken == "access-3")
    #expect(issuer.calls.suffix(2) == [.refresh("refresh-2"), .refresh("refresh-1")])
    issuer.refuse(["refresh-3", "refresh-1"])
    await #expect(throws: AuthError.loginRequired(.refusedByServer)) { try await keeper.refresh() }
    issuer.refuse([])
    #expect(try await keeper.refresh().accessToken == "access-4")
    #expect(try StoredSignIn(#require(storage.tokens[key])).refusals == 0)
  }

  @Test func `a storage that takes nothing is noticed before anything is asked of the server`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    storage.fail(storing: .unavailable)
    await #expect(throws: AuthError.storage(.unavailable)) { try await keeper.refresh() }
    #expect(issuer.calls == [.issue] && keeper.held?.accessToken == "access-1")
    storage.fail(storing: .locked)
    await #expect(throws: AuthError.loginRequired(.vaultLocked)) { try await keeper.refresh() }
    #expect(issuer.calls == [.issue] && keeper.held == nil)
    storage.fail()
    #expect(try await keeper.refresh().isStored)
    #expect(try stored() == "refresh-2")
  }

  @Test func `what an older Signet stored is read, and what a newer one did is left alone`() async throws {
    let issuer = ScriptedIssuer()
    _ = try await keeper(issuer).login(.local)
    try storage.store(token: #"{"token":"refresh-1","user":"1","name":"alice"}"#, for: key)
    #expect(try await keeper(issuer).tokens().accessToken == "access-2")
    let newer = #"{"form":3,"token":"refresh-2","user":"1"}"#
    try storage.store(token: newer, for: key)
    await #expect(throws: AuthError.storage(.damaged)) { try await keeper(issuer).tokens() }
    #expect(storage.tokens[key] == newer)
  }

  @Test func `a new process goes on with what is stored`() async throws {
    let issuer = ScriptedIssuer()
    _ = try await keeper(issuer).login(.local)
    let after = keeper(issuer)
    #expect(after.broadcast.state == .signedOut)
    #expect(try await after.tokens().accessToken == "access-2")
    #expect(after.broadcast.state == .signedIn(alice))
  }

  @Test(
    arguments: [
      (TokenStorageError.locked, LoginReason.vaultLocked, 1), (.fingersChanged, .fingersChanged, 0),
    ])
  func `a vault that does not release says why`(error: TokenStorageError, reason: LoginReason, left: Int) async throws {
    let issuer = ScriptedIssuer()
    _ = try await keeper(issuer).login(.local)
    let after = keeper(issuer)
    storage.fail(retrieving: error)
    await #expect(throws: AuthError.loginRequired(reason)) { try await after.tokens() }
    #expect(after.broadcast.state == .loginRequired(reason) && storage.tokens.count == left)
    #expect(issuer.calls == [.issue])
  }

  @Test func `nothing stored needs a login, and an owner who cancels is not signed out`() async throws {
    let keeper = keeper(ScriptedIssuer())
    await #expect(throws: AuthError.loginRequired(.noCredential)) { try await keeper.tokens() }
    #expect(keeper.broadcast.state == .signedOut)
    _ = try await keeper.login(.local)
    await keeper.lock()
    storage.fail(retrieving: .cancelled)
    await #expect(throws: AuthError.storage(.cancelled)) { try await keeper.tokens() }
    #expect(storage.tokens.count == 1)
  }

  @Test func `after a lock the storage is asked again`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    await keeper.lock()
    #expect(keeper.held == nil && keeper.broadcast.state == .loginRequired(.vaultLocked))
    #expect(try await keeper.tokens().accessToken == "access-2")
    #expect(storage.calls.contains(.retrieve(key)))
  }

  @Test func `a lock in the midst of a refresh loses no sign-in, and leaves no token in memory`() async throws {
    let gate = Gate()
    let issuer = ScriptedIssuer { if case .refresh = $0 { await gate.pass() } }
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    let refresh = Task { try await keeper.refresh() }
    await gate.arrivals(1)
    await keeper.lock()
    gate.open()
    await #expect(throws: AuthError.loginRequired(.vaultLocked)) { try await refresh.value }
    #expect(keeper.held == nil && keeper.broadcast.state == .loginRequired(.vaultLocked))
    #expect(try stored() == "refresh-2" && issuer.current == "refresh-2")
    #expect(try await keeper.tokens().accessToken == "access-3")
  }

  @Test func `a sign-out leaves nothing, here and there`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    try await keeper.signOut(host: "issuer")
    #expect(storage.tokens.isEmpty && keeper.held == nil && keeper.broadcast.state == .signedOut)
    #expect(issuer.calls.last == .revoke("refresh-1") && issuer.current == nil)
  }

  @Test func `a server that is not there is told of the sign-out later`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    issuer.fail(.network(.timedOut(host: "issuer")))
    await #expect(throws: AuthError.notRevoked(host: "issuer")) { try await keeper.signOut(host: "issuer") }
    #expect(storage.tokens[key] == nil && keeper.broadcast.state == .signedOut)
    #expect(await keeper.revokePending() == 1)
    issuer.fail(nil)
    #expect(await keeper.revokePending() == 0)
    #expect(storage.tokens.isEmpty && issuer.current == nil)
  }

  @Test(arguments: [AuthError.oauth2(host: "issuer", .code("unauthorized_client")), .server(host: "issuer", status: 403)])
  func `a server that refuses to be told is not told again`(refusal: AuthError) async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    issuer.fail(refusal)
    await #expect(throws: AuthError.notRevoked(host: "issuer")) { try await keeper.signOut(host: "issuer") }
    #expect(storage.tokens.isEmpty)
    #expect(await keeper.revokePending() == 0)
    #expect(issuer.calls.filter { if case .revoke = $0 { true } else { false } }.count == 1)
  }

  @Test func `a refusal ends what was to be told later`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    issuer.fail(.server(host: "issuer", status: 503))
    await #expect(throws: AuthError.notRevoked(host: "issuer")) { try await keeper.signOut(host: "issuer") }
    #expect(await keeper.revokePending() == 1)
    issuer.fail(.refused(host: "issuer"))
    #expect(await keeper.revokePending() == 0)
    #expect(storage.tokens.isEmpty)
  }

  @Test func `a refresh that ends after the sign-out has no effect`() async throws {
    let gate = Gate()
    let issuer = ScriptedIssuer { if case .refresh = $0 { await gate.pass() } }
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    let refresh = Task { try await keeper.refresh() }
    await gate.arrivals(1)
    try await keeper.signOut(host: "issuer")
    gate.open()
    await #expect(throws: AuthError.self) { try await refresh.value }
    #expect(storage.tokens.isEmpty && keeper.held == nil && keeper.broadcast.state == .signedOut)
    #expect(issuer.current == nil)
  }

  @Test func `of two logins the later one counts, and the other is ended`() async throws {
    let gate = Gate()
    let first = Mutex(true)
    let issuer = ScriptedIssuer { call in
      let isFirst = first.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if call == .issue, isFirst { await gate.pass() }
    }
    let keeper = keeper(issuer)
    let slow = Task { try await keeper.login(.local) }
    await gate.arrivals(1)
    let held = try await keeper.login(.local)
    gate.open()
    await #expect(throws: AuthError.cancelled) { try await slow.value }
    #expect(keeper.held?.refreshToken == held.refreshToken && issuer.calls.last == .revoke("refresh-2"))
    #expect(try stored() == held.refreshToken)
  }

  @Test func `a login that fails changes nothing`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    issuer.fail(.refused(host: "issuer"))
    await #expect(throws: AuthError.refused(host: "issuer")) { try await keeper.login(.local) }
    #expect(keeper.held?.accessToken == "access-1" && keeper.broadcast.state == .signedIn(alice))
    #expect(try stored() == "refresh-1")
  }

  @Test func `a second login ends the first one at the server`() async throws {
    let issuer = ScriptedIssuer()
    let keeper = keeper(issuer)
    _ = try await keeper.login(.local)
    _ = try await keeper.login(.local)
    #expect(issuer.calls == [.issue, .issue, .revoke("refresh-1")] && issuer.current == "refresh-2")
    #expect(try stored() == "refresh-2")
  }

  @Test(arguments: ["", "x", "{}", #"{"token":"a"}"#, #"{"token":1,"user":"u"}"#])
  func `what is stored and no sign-in is an error`(text: String) async throws {
    try storage.store(token: text, for: key)
    await #expect(throws: AuthError.storage(.damaged)) { try await keeper(ScriptedIssuer()).tokens() }
  }
}

/// Gives the same tokens each time.
private final class SteadyIssuer: TokenIssuer {
  let refreshes = Atomic(0)
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    TokenGrant(accessToken: "a", refreshToken: "r", lifetime: 300, user: User(id: "1"))
  }

  func refresh(_ refreshToken: String) async throws -> TokenGrant {
    refreshes.add(1, ordering: .relaxed)
    await gate.pass()
    return try await issue(for: .local)
  }

  func revoke(_ refreshToken: String) async throws {}
}
