import CLinux
import Foundation
import Glibc
import SignetMemory
import SignetSessionTokens
import SignetTestKit
import SignetTokens
import SignetVocabulary
import SignetWire
import Synchronization
import Testing

/// What a session gets for its token: from the real signetd, after a login by finger.
@Suite struct SessionTokensTests {
  /// A session that is open, and what asks for it.
  private struct Opened {
    let scene: Scene
    let token: [UInt8]
    let key: Int32

    init(_ scene: Scene) throws {
      self.scene = scene
      guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
      self.token = token
      key = try TokenKey.make()
      let client = try scene.daemon.connect()
      try client.openSession(token: token, key: key)
      guard try client.nextAdministration() == .done else { throw TestKitError("no session") }
    }

    var client: SessionTokenClient { SessionTokenClient(path: scene.daemon.socket) }

    /// What comes of a request with the token, or the refusal.
    func ask<Answer: ~Copyable>(
      _ body: (SessionTokenClient, borrowing SecretBytes) throws(SessionTokenError) -> Answer
    ) throws -> Answer { try body(client, try secret(token)) }

    func close() throws {
      let client = try scene.daemon.connect()
      try client.closeSession(token: token)
      guard try client.nextAdministration() == .done else { throw TestKitError("not closed") }
    }
  }

  private static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    guard var secret = SecretBytes(capacity: max(1, bytes.count)), secret.append(bytes.span) else { throw TestKitError("memory") }
    return secret
  }

  /// The refusal of what is asked.
  private func refusal(_ body: () throws -> Void) -> RefusalCode? {
    do { try body() } catch SessionTokenError.refused(let refusal) { return refusal.code } catch { Issue.record(error) }
    return nil
  }

  private func issue(_ opened: Opened) throws -> (access: String, refresh: [UInt8]) {
    let issued = try opened.ask { client, token throws(SessionTokenError) in
      try client.issue(for: token, audience: "mail", isRefreshable: true)
    }
    return (String(decoding: Array(copying: issued.accessToken.span), as: UTF8.self), Array(copying: issued.refreshToken.span))
  }

  private func refresh(_ opened: Opened, _ token: [UInt8]) throws -> [UInt8] {
    let issued = try opened.client.refresh(try SessionTokensTests.secret(token))
    return Array(copying: issued.refreshToken.span)
  }

  private func claims(_ token: String) throws -> [String: Any] {
    let part = token.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
    let data = try #require(Data(base64Encoded: part + String(repeating: "=", count: (4 - part.count % 4) % 4)))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func keySet(_ opened: Opened) throws -> (issuer: String, keys: [[String: String]]) {
    let object = try JSONSerialization.jsonObject(with: Data(try opened.client.keySet().utf8)) as? [String: Any]
    let keys = (object?["jwks"] as? [String: Any])?["keys"] as? [[String: String]]
    return (try #require(object?["issuer"] as? String), try #require(keys))
  }

  // MARK: - access tokens

  @Test func `an access token says whose session it is, and goes with the keys that are known`() throws {
    let opened = try Opened(try Scene())
    let (access, _) = try issue(opened)
    let said = try claims(access)
    #expect(said["sub"] as? String == "\(opened.scene.daemon.uid)" && said["aud"] as? String == "mail")
    #expect(said["amr"] as? [String] == ["fpt"])
    let (issuer, keys) = try keySet(opened)
    #expect(said["iss"] as? String == issuer && issuer.hasPrefix("urn:uuid:"))
    #expect(keys.count == 1)
    // The key is the same after a restart.
    try opened.scene.restart()
    #expect(try keySet(opened) == (issuer, keys))
  }

  @Test func `a refresh token is good once, and an old one ends its chain, which is recorded`() throws {
    let opened = try Opened(try Scene())
    let first = try issue(opened).refresh
    let second = try refresh(opened, first)
    try opened.scene.restart(SIGKILL)
    let third = try refresh(opened, second)
    #expect(refusal { _ = try refresh(opened, second) } == .refreshTokenReused)
    #expect(refusal { _ = try refresh(opened, third) } == .noOpenSession)
    try opened.scene.daemon.awaitLog("a refresh token was used twice")
  }

  @Test func `of many that use one refresh token at once one succeeds at most, and the chain has ended`() throws {
    let opened = try Opened(try Scene())
    let token = try issue(opened).refresh
    let results = Mutex<[[UInt8]]>([])
    let client = opened.client
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      guard let secret = try? SessionTokensTests.secret(token), let issued = try? client.refresh(secret) else { return }
      let next = Array(copying: issued.refreshToken.span)
      results.withLock { $0.append(next) }
    }
    let next = results.withLock(\.self)
    #expect(next.count <= 1)
    for token in next { #expect(refusal { _ = try refresh(opened, token) } == .noOpenSession) }
  }

  @Test func `a chain ends when its owner says so, and with its session`() throws {
    let opened = try Opened(try Scene())
    let (one, other) = (try issue(opened).refresh, try issue(opened).refresh)
    try opened.client.endRefresh(try SessionTokensTests.secret(one))
    #expect(refusal { _ = try refresh(opened, one) } == .noOpenSession)
    try opened.close()
    #expect(refusal { _ = try refresh(opened, other) } == .noOpenSession)
    #expect(refusal { _ = try issue(opened) } == .noOpenSession)
  }

  @Test func `nothing is issued or refreshed from a lock on until the passcode, and nothing is used up`() throws {
    let opened = try Opened(try Scene())
    let token = try issue(opened).refresh
    try lock(opened.scene)
    #expect(refusal { _ = try issue(opened) } == .locked)
    #expect(refusal { _ = try refresh(opened, token) } == .locked)
    try unlock(opened.scene)
    _ = try refresh(opened, token)
  }

  private func lock(_ scene: Scene) throws {
    let client = try scene.daemon.connect()
    try client.send(AdministrationRequest.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
  }

  private func unlock(_ scene: Scene) throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.verdict(passcode: RunningDaemon.passcode).isSuccess)
  }

  @Test func `issuer keys that do not open are replaced, and the log says so`() throws {
    let opened = try Opened(try Scene())
    _ = try issue(opened)
    let before = try keySet(opened).keys
    let path = opened.scene.daemon.stateDirectory + "/issuer"
    var bytes = try RawFile.read(path)
    bytes[bytes.count - 1] ^= 1
    try RawFile.overwrite(path, bytes)
    #expect(try keySet(opened).keys != before)
    try opened.scene.daemon.awaitLog("does not open; tokens are signed with a new key")
  }

  // MARK: - sessions

  @Test func `whoever has a token learns whose session it is, until it ends`() throws {
    let opened = try Opened(try Scene())
    let row = try opened.ask { client, token throws(SessionTokenError) in try client.introspect(token) }
    #expect(row.uid == opened.scene.daemon.uid && row.method == .fingerprint && row.expires == row.opened + 86_400)
    try opened.close()
    #expect(
      refusal { _ = try opened.ask { client, token throws(SessionTokenError) in try client.introspect(token) } }
        == .noOpenSession)
  }

  @Test func `a token whose key the kernel has ended is worth nothing`() throws {
    let opened = try Opened(try Scene())
    TokenKey.end(opened.key)
    #expect(refusal { _ = try issue(opened) } == .noOpenSession)
  }

  @Test func `all sessions but the asker's end at once`() throws {
    let scene = try Scene()
    let (first, second) = (try Opened(scene), try Opened(scene))
    try second.ask { client, token throws(SessionTokenError) in try client.revokeOthers(than: token) }
    #expect(refusal { _ = try issue(first) } == .noOpenSession)
    #expect(!TokenKey.isAlive(first.key))
    _ = try issue(second)
  }

  // MARK: - seals

  private func sealed(_ opened: Opened) throws -> (key: [UInt8], wrapped: [UInt8]) {
    let key = try opened.ask { client, token throws(SessionTokenError) in try client.sealingKey(for: token) }
    return (Array(copying: key.secret.span), key.wrapped)
  }

  private func unsealed(_ opened: Opened, _ wrapped: [UInt8]) throws -> [UInt8] {
    let key = try opened.ask { client, token throws(SessionTokenError) in try client.sealingKey(for: token, wrapped: wrapped) }
    return Array(copying: key.secret.span)
  }

  @Test func `a seal opens in its session, also after a restart, and in no other session`() throws {
    let scene = try Scene()
    let (own, other) = (try Opened(scene), try Opened(scene))
    let (key, wrapped) = try sealed(own)
    try scene.restart(SIGKILL)
    #expect(try unsealed(own, wrapped) == key)
    #expect(refusal { _ = try unsealed(other, wrapped) } == .sealBroken)
    var damaged = wrapped
    damaged[40] ^= 1
    #expect(refusal { _ = try unsealed(own, damaged) } == .sealBroken)
  }

  @Test func `a lock destroys what was sealed, and what is sealed after the passcode opens`() throws {
    let opened = try Opened(try Scene())
    let wrapped = try sealed(opened).wrapped
    try lock(opened.scene)
    #expect(refusal { _ = try sealed(opened) } == .locked)
    try unlock(opened.scene)
    #expect(refusal { _ = try unsealed(opened, wrapped) } == .sealBroken)
    let (key, again) = try sealed(opened)
    #expect(try unsealed(opened, again) == key)
  }
}
