import CLinux
import Glibc
import SignetAuthentication
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetTokens
import SignetVocabulary
import Testing

@testable import DaemonAccounts

/// Sessions and the kernel's keys that they name.
@Suite struct SessionRegistryTests {
  private let folder: TemporaryFolder
  private let registry: SessionRegistry

  init() throws {
    folder = try TemporaryFolder()
    registry = try SessionRegistry(path: folder.path)
  }

  /// Releases a token to a user, as a login does.
  private func release(to uid: UInt32 = 1000) throws -> [UInt8] {
    var evaluation = Evaluation(uid: uid, policy: .deviceOwnerAuthentication, limits: LockoutLimits())
    evaluation.arm(operation: 1)
    guard let evidence = evaluation.match(operation: 1), let token = UnreleasedToken() else { throw FormatError.badValue }
    registry.release(token, for: evidence, user: "user-\(uid)", service: "login")
    return Array(copying: token.secret.span)
  }

  @discardableResult
  private func open(_ token: [UInt8], _ key: Int32, peer: UInt32 = geteuid()) throws -> Session {
    try registry.open(token: token.span, key: key, terminal: "tty1", peer: peer)
  }

  /// The refusal of an opening, in one word.
  private func refusal(_ token: [UInt8], _ key: Int32, peer: UInt32 = geteuid()) throws -> String? {
    do throws(SessionRegistry.NotOpened) {
      _ = try registry.open(token: token.span, key: key, terminal: "tty1", peer: peer)
      return nil
    } catch {
      switch error {
      case .noSession: return "no session"
      case .foreignKey: return "foreign key"
      case .tooMany: return "too many"
      case .notRecorded: return "not recorded"
      }
    }
  }

  @Test func `a key that was not made for a token opens no session, and is left alone`() throws {
    let keys = [
      try TokenKey.make(description: "signet:tokens"), try TokenKey.make(description: "krb5;signet:token"),
      try TokenKey.make(type: "keyring"),
    ]
    for key in keys {
      let token = try release()
      #expect(try refusal(token, key) == "foreign key")
      #expect(TokenKey.isAlive(key))
      try open(token, TokenKey.make())
    }
    #expect(registry.open(of: nil).count == keys.count)
  }

  @Test func `a number that is no key opens no session`() throws {
    let token = try release()
    for key in [0, -1, KEY_SPEC_USER_KEYRING, .max, .min] as [Int32] { #expect(try refusal(token, key) == "foreign key") }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a key away"))
  func `a user's own key opens no session`() throws {
    let key = try TokenKey.make()
    try TokenKey.give(key, to: 1000)
    #expect(try refusal(try release(), key) == "foreign key")
  }

  @Test func `a user does not open a session with a key of root's`() throws {
    let token = try release(to: geteuid() + 1)
    #expect(try refusal(token, try TokenKey.make(), peer: geteuid() + 1) == "foreign key")
  }

  @Test func `the key of another session opens none`() throws {
    let key = try TokenKey.make()
    let first = try open(try release(), key)
    #expect(try refusal(try release(to: 1001), key) == "foreign key")
    #expect(registry.open(of: nil) == [first] && TokenKey.isAlive(key))
  }

  @Test func `what the kernel says of a key is read whole`() {
    #expect(SessionKey.isToken("user;0;0;0b250000;signet:token", owner: 0))
    let others = [
      "", ";;;;", "user;0;0;0b250000", "user;0;0;0b250000;", "user;1000;0;0b250000;signet:token",
      "user;00;0;0b250000;signet:token", "logon;0;0;0b250000;signet:token", "user;0;0;0b250000;signet:token;",
      "user;0;0;0b250000;x;signet:token", "user;0;0;0b250000;signet:token ",
    ]
    for text in others { #expect(!SessionKey.isToken(text, owner: 0), "\(text)") }
  }

  @Test func `revoking a session revokes its key`() throws {
    let key = try TokenKey.make()
    let session = try open(try release(), key)
    #expect(registry.revoke(identifier: session.identifier, peer: 1000) != nil)
    #expect(!TokenKey.isAlive(key))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a key away"))
  func `a number that stands for another key by now is not revoked`() throws {
    let key = try TokenKey.make()
    let session = try open(try release(), key)
    try TokenKey.give(key, to: 1000)
    #expect(registry.revoke(identifier: session.identifier, peer: 1000) != nil)
    #expect(TokenKey.isAlive(key))
  }

  @Test func `of a thousand sessions of one user 64 open, and others open theirs`() throws {
    var refused = 0
    for _ in 1...1000 where try refusal(try release(), try TokenKey.make()) == "too many" { refused += 1 }
    #expect(refused == 1000 - SessionTable.openLimit)
    #expect(registry.open(of: 1000).count == SessionTable.openLimit)
    try open(try release(to: 1001), TokenKey.make())
    #expect(registry.open(of: nil).count == SessionTable.openLimit + 1)
  }

  @Test func `sessions whose key is gone make room for others`() throws {
    var keys: [Int32] = []
    for _ in 1...SessionTable.openLimit {
      keys.append(try TokenKey.make())
      try open(try release(), keys[keys.count - 1])
    }
    let token = try release()
    #expect(try refusal(token, try TokenKey.make()) == "too many")
    TokenKey.end(keys[7])
    try open(token, TokenKey.make())
    #expect(registry.open(of: 1000).count == SessionTable.openLimit)
    #expect(try SessionRegistry(path: folder.path).open(of: nil).count == SessionTable.openLimit, "nor are they on file")
  }
}
