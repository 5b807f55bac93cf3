import CLinux
import Glibc
import SignetTestKit
import Testing

/// Whether keyctl(2) answers, asked for a keyring that is always there.
private let hasKeyrings =
  clinux_keyctl(KEYCTL_GET_KEYRING_ID, UInt(bitPattern: Int(KEY_SPEC_USER_KEYRING)), 1, 0, 0) > 0

/// A thread for one piece of work. Each thread has a session keyring of its own, which the programs that it starts inherit
/// and which ends with it.
private final class SessionThread: @unchecked Sendable {
  private let work: () throws -> Signet
  private var outcome: Result<Signet, any Error>?

  init(_ work: @escaping () throws -> Signet) { self.work = work }

  func result() throws -> Signet {
    var thread = pthread_t()
    let me = Unmanaged.passUnretained(self).toOpaque()
    let started = pthread_create(
      &thread, nil,
      { me in
        if let me { Unmanaged<SessionThread>.fromOpaque(me).takeUnretainedValue().run() }
        return nil
      }, me)
    guard started == 0, pthread_join(thread, nil) == 0, let outcome else { throw TestKitError("no thread: \(started)") }
    return try outcome.get()
  }

  private func run() { outcome = Result { try work() } }
}

/// `signet token` in session keyrings of the tests' own.
@Suite(.enabled(if: hasKeyrings, "needs keyctl(2), which this container forbids")) struct TokenTests {
  private static let digits = String(repeating: "0123456789abcdef", count: 4)

  /// What happens to the key before `signet token` runs.
  enum Fate: Sendable { case kept, revoked, unreadable, absent }

  private static func run(_ words: [String] = [], token: String = digits, _ fate: Fate = .kept) throws -> Signet {
    try SessionThread {
      try joinSession(token: token, fate)
      return try Signet.run(["token"] + words)
    }.result()
  }

  private static func joinSession(token: String, _ fate: Fate) throws {
    guard clinux_keyctl(KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) > 0 else { throw TestKitError("keyctl: \(clinux_errno())") }
    if fate == .absent { return }
    let bytes = Array(token.utf8)
    let key = clinux_add_key("user", "signet:token", bytes, bytes.count, KEY_SPEC_SESSION_KEYRING)
    guard key > 0 else { throw TestKitError("add_key: \(clinux_errno())") }
    // As the module sets them: possessor may view, read and search, owner root may view, write and set attributes.
    let permissions: UInt = fate == .unreadable ? 0x0100_0000 : 0x0b25_0000
    guard clinux_keyctl(KEYCTL_SETPERM, UInt(key), permissions, 0, 0) == 0 else { throw TestKitError("setperm") }
    if fate == .revoked, clinux_keyctl(KEYCTL_REVOKE, UInt(key), 0, 0, 0) != 0 { throw TestKitError("revoke: \(clinux_errno())") }
  }

  @Test func `inside a session it is printed, and nothing else`() throws {
    let run = try TokenTests.run()
    #expect(run.status == 0)
    #expect(run.output == TokenTests.digits + "\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `in JSON`() throws {
    #expect(try TokenTests.run(["--json"]).output == "{\"token\": \"\(TokenTests.digits)\"}\n")
  }

  @Test(arguments: [(Fate.absent, "holds no token"), (.revoked, "was revoked"), (.unreadable, "holds no token")])
  func `without a usable token it says why`(fate: Fate, words: String) throws {
    let run = try TokenTests.run([], fate)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(words))
  }

  @Test(arguments: [
    "x", String(digits.dropLast()), digits + "0", String(repeating: "G", count: 64), digits.uppercased(),
    String(repeating: "\u{1B}", count: 64), String(repeating: "x", count: 5000),
  ])
  func `a key that is no token of ours is not printed`(token: String) throws {
    let run = try TokenTests.run(token: token)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
  }
}
