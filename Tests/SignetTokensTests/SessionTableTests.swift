import SignetAuthentication
import SignetBytes
import SignetMemory
import SignetTokens
import SignetVocabulary
import Testing

@Suite struct SessionTableTests {
  /// Releases a token to uid 1000. Only an evaluation can make the evidence for it.
  private func release(into table: inout SessionTable, at now: UInt64 = 100) throws -> [UInt8] {
    var evaluation = Evaluation(uid: 1000, policy: .deviceOwnerAuthentication, limits: LockoutLimits())
    evaluation.arm(operation: 1)
    guard let evidence = evaluation.match(operation: 1), let token = UnreleasedToken() else { throw FormatError.badValue }
    table.release(token, for: evidence, user: "alice", service: "login", now: now)
    return Array(copying: token.secret.span)
  }

  @Test func `a released token opens one session, once`() throws {
    var table = SessionTable()
    let token = try release(into: &table)
    #expect(table.open().isEmpty)
    let session = table.open(token: token.span, key: 7, terminal: "tty1", peer: 0, now: 101)
    #expect(session?.user == "alice")
    #expect(table.open().count == 1)
    #expect(table.open(token: token.span, key: 8, terminal: "tty1", peer: 0, now: 102) == nil)
  }

  @Test func `the use of a session goes to its file at once, and then twice a minute`() throws {
    var table = SessionTable(limits: SessionLimits(idle: 3600))
    let token = try release(into: &table)
    _ = table.open(token: token.span, key: 7, terminal: "tty1", peer: 0, now: 101)
    var kept: [UInt64] = []
    for now: UInt64 in 110...180 {
      let used = table.use(token.span, now: now)
      let session = try #require(used)
      if table.mustKeepUse(of: session) { kept.append(now) }
    }
    #expect(kept == [110, 140, 170])
  }

  @Test func `where nothing ends by itself no use goes to a file`() throws {
    var table = SessionTable(limits: SessionLimits())
    let token = try release(into: &table)
    _ = table.open(token: token.span, key: 7, terminal: "tty1", peer: 0, now: 101)
    let used = table.use(token.span, now: 110)
    let session = try #require(used)
    let mustKeep = table.mustKeepUse(of: session)
    #expect(!mustKeep)
  }

  @Test func `a console or a display of the machine's own is at the seat, and nothing else`() throws {
    func isAtSeat(_ terminal: String) throws -> Bool {
      var table = SessionTable()
      let token = try release(into: &table)
      let session = table.open(token: token.span, key: 7, terminal: terminal, peer: 0, now: 101)
      return try #require(session).isAtSeat
    }
    for terminal in ["tty1", "/dev/tty63", ":0", ":12"] { try #expect(isAtSeat(terminal), "\(terminal)") }
    for terminal in ["", "tty", "ttyS0", "/dev/ttyUSB0", "pts/0", "/dev/pts/1", "ssh", ":", ":0.0", "host:0", "tty1 ", "cron"] {
      try #expect(!isAtSeat(terminal), "\(terminal)")
    }
  }

  @Test func `a token that was never released opens nothing`() throws {
    var table = SessionTable()
    _ = try release(into: &table)
    let guess = [UInt8](repeating: 0, count: FieldLimit.token)
    #expect(table.open(token: guess.span, key: 7, terminal: "", peer: 0, now: 101) == nil)
  }

  @Test func `another user opens, closes and revokes nothing`() throws {
    var table = SessionTable()
    let token = try release(into: &table)
    #expect(table.open(token: token.span, key: 7, terminal: "", peer: 1001, now: 101) == nil)
    let opened = table.open(token: token.span, key: 7, terminal: "", peer: 1000, now: 101)
    let session = try #require(opened)
    #expect(table.close(token: token.span, peer: 1001) == nil)
    #expect(table.revoke(identifier: session.identifier, peer: 1001) == nil)
    #expect(table.revoke(identifier: session.identifier, peer: 1000) == session)
    #expect(table.open().isEmpty)
  }

  @Test func `the identifier is no part of the token`() throws {
    var table = SessionTable()
    let token = try release(into: &table)
    let opened = table.open(token: token.span, key: 7, terminal: "", peer: 0, now: 101)
    let session = try #require(opened)
    let digits = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(!digits.contains(session.identifier.text))
    #expect(session.identifier.text.count == FieldLimit.sessionIdentifier)
  }

  @Test func `a token that waits too long for its session is void`() throws {
    var table = SessionTable()
    let token = try release(into: &table, at: 100)
    let late = 101 + UInt64(TokenLifetime.pending)
    #expect(table.open(token: token.span, key: 7, terminal: "", peer: 0, now: late) == nil)
  }

  @Test func `a session ends after its lifetime`() throws {
    var table = SessionTable()
    let token = try release(into: &table)
    let opened = table.open(token: token.span, key: 7, terminal: "", peer: 0, now: 101)
    let session = try #require(opened)
    #expect(table.expire(now: 101 + UInt64(TokenLifetime.session)).isEmpty)
    #expect(table.expire(now: 102 + UInt64(TokenLifetime.session)) == [session])
    #expect(table.open().isEmpty)
  }

  @Test func `tokens that nobody opens do not pile up`() throws {
    var table = SessionTable()
    let first = try release(into: &table)
    for _ in 0..<SessionTable.pendingLimit { _ = try release(into: &table) }
    #expect(table.open(token: first.span, key: 7, terminal: "", peer: 0, now: 101) == nil)
  }
}
