import DaemonAccounts
import DaemonPasscodes
import Glibc
import SignetAuthentication
import SignetBytes
import SignetTestKit
import SignetTokens
import SignetVault
import SignetVocabulary
import Synchronization
import Testing

@testable import DaemonService
@testable import DaemonVaults

/// A vault closes when its user's last session ends, and what a session is logind says.
@Suite struct SessionEndTests {
  private let folder: TemporaryFolder
  private let logind = Logind()
  private let registry: SessionRegistry
  private let vault: Vault
  private let carol = User(uid: 1000, name: "carol")

  init() throws {
    folder = try TemporaryFolder()
    let store = SharedStore(try AccountStore(path: folder.path + "/state", runtimePath: folder.path + "/run"))
    _ = try store.value.deviceKey()
    registry = try SessionRegistry(path: folder.path + "/run")
    vault = Vault(
      keys: UserKeys(store: DescriptorStore()), store: store, sessions: registry, closesWithSession: true,
      cost: ScryptCost(mebibytes: 16), isLoggedIn: { [logind] uid in logind.users.withLock { $0.map { $0.contains(uid) } } })
  }

  private final class Logind: Sendable {
    /// Who is logged in; `nil` without logind.
    let users = Mutex<Set<UInt32>?>([])
  }

  private func logind(says users: Set<UInt32>?) {
    logind.users.withLock { $0 = users }
    vault.closeEnded()
  }

  @discardableResult
  private func open() throws -> Vault.Opening { try finish(vault.beginOpening(carol.uid)) }

  private func finish(_ opening: PendingOpening) throws -> Vault.Opening {
    let bytes = Array("horse".utf8)
    guard let typed = TypedPasscode(bytes.span) else { throw TestKitError("no memory") }
    return vault.open(VerifiedPasscode(checked: typed, of: carol), opening, creates: true, keepsLoginSecret: false).opening
  }

  /// A session that `su` or a login opened with a token, as the module does.
  private func beginTokenSession() throws -> (token: [UInt8], key: Int32) {
    var evaluation = Evaluation(uid: carol.uid, policy: .deviceOwnerAuthentication, limits: LockoutLimits())
    evaluation.arm(operation: 1)
    guard let evidence = evaluation.match(operation: 1), let token = UnreleasedToken() else { throw TestKitError("no token") }
    registry.release(token, for: evidence, user: carol.name, service: "su")
    let key = try TokenKey.make()
    _ = try registry.open(token: token.secret.span, key: key, terminal: "", peer: geteuid())
    vault.joinSession(carol.uid)
    return (Array(copying: token.secret.span), key)
  }

  private func end(_ token: [UInt8]) {
    _ = registry.close(token: token.span, peer: geteuid())
    vault.closeEnded()
  }

  @Test func `at a logout from a session that Signet did not open the vault closes`() throws {
    try open()
    #expect(vault.followsSessions)
    logind(says: [carol.uid])
    #expect(vault.isOpen(carol.uid))
    logind(says: [])
    #expect(!vault.isOpen(carol.uid) && !vault.followsSessions)
  }

  @Test func `su to somebody who is logged in leaves their vault open when it ends`() throws {
    logind(says: [carol.uid])
    try open()
    let (token, _) = try beginTokenSession()
    end(token)
    #expect(vault.isOpen(carol.uid))
    logind(says: [])
    #expect(!vault.isOpen(carol.uid))
  }

  @Test func `su to somebody who is not logged in is their session, as long as a process of it is left`() throws {
    try open()
    let (_, key) = try beginTokenSession()
    logind(says: [1001])
    #expect(vault.isOpen(carol.uid))
    // As when the last process of the session was killed, and nobody said a word.
    TokenKey.end(key)
    vault.closeEnded()
    #expect(!vault.isOpen(carol.uid))
  }

  @Test func `a session that began and ended while scrypt ran leaves the vault closed`() throws {
    try open()
    vault.keys.erase(carol.uid)
    let opening = vault.beginOpening(carol.uid)
    #expect(vault.followsSessions)
    logind(says: [carol.uid])
    logind(says: [])
    #expect(try finish(opening) == .overtaken)
    #expect(!vault.isOpen(carol.uid))
  }

  @Test func `the passcode of somebody who is nowhere logged in opens the vault until a session of theirs has ended`() throws {
    try open()
    logind(says: [1001])
    #expect(vault.isOpen(carol.uid))
    #expect(vault.state(of: carol) == .afterFirstUnlock)
    logind(says: [1000, 1001])
    #expect(vault.state(of: carol) == .unlocked)
  }

  @Test func `without logind the sessions that Signet opened are all there is`() throws {
    logind(says: nil)
    try open()
    #expect(vault.state(of: carol) == .afterFirstUnlock)
    let (first, _) = try beginTokenSession()
    let (second, key) = try beginTokenSession()
    end(first)
    #expect(vault.isOpen(carol.uid))
    TokenKey.end(key)
    vault.closeEnded()
    #expect(vault.isOpen(carol.uid))
    end(second)
    #expect(!vault.isOpen(carol.uid))
  }
}
