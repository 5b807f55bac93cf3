import CLinux
import Glibc

/// Session keyrings of the kernel (session-keyring(7)) that are a test's own. Each thread has one, which the programs that it starts
/// inherit and which ends with it.
public enum SessionKeyring {
  /// Whether keyctl(2) answers, asked for a keyring that is always there.
  public static let isAvailable =
    clinux_keyctl(KEYCTL_GET_KEYRING_ID, UInt(bitPattern: Int(KEY_SPEC_USER_KEYRING)), 1, 0, 0) > 0

  /// What happens to the token's key before the work begins.
  public enum Fate: Sendable { case kept, revoked, unreadable, absent }

  /// Does some work on a thread of its own in a new session, which has this token; the work gets the serial number of its key.
  public static func with<Value>(
    token: String, _ fate: Fate = .kept, _ work: @escaping (Int32) throws -> Value
  ) throws -> Value {
    var outcome: Result<Value, any Error>?
    try Thread.run { outcome = Result { try work(try join(token: token, fate)) } }
    guard let outcome else { throw TestKitError("the thread did nothing") }
    return try outcome.get()
  }

  private static func join(token: String, _ fate: Fate) throws -> Int32 {
    guard clinux_keyctl(KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) > 0 else { throw TestKitError("keyctl: \(clinux_errno())") }
    if fate == .absent { return 0 }
    let bytes = Array(token.utf8)
    let key = clinux_add_key("user", "signet:token", bytes, bytes.count, KEY_SPEC_SESSION_KEYRING)
    guard key > 0 else { throw TestKitError("add_key: \(clinux_errno())") }
    // As the module sets them: possessor may view, read and search, owner root may view, write and set attributes.
    let permissions: UInt = fate == .unreadable ? 0x0100_0000 : 0x0b25_0000
    guard clinux_keyctl(KEYCTL_SETPERM, UInt(key), permissions, 0, 0) == 0 else { throw TestKitError("setperm") }
    if fate == .revoked, clinux_keyctl(KEYCTL_REVOKE, UInt(key), 0, 0, 0) != 0 { throw TestKitError("revoke: \(clinux_errno())") }
    return key
  }

  /// A thread for one piece of work. Its block says nothing of the work's type, so that C can be handed it.
  private final class Thread: @unchecked Sendable {
    private let work: () -> Void

    private init(_ work: @escaping () -> Void) { self.work = work }

    static func run(_ work: @escaping () -> Void) throws {
      var thread = pthread_t()
      let block = Unmanaged.passRetained(Thread(work))
      let started = pthread_create(
        &thread, nil,
        { block in
          if let block { Unmanaged<Thread>.fromOpaque(block).takeRetainedValue().work() }
          return nil
        }, block.toOpaque())
      guard started == 0, pthread_join(thread, nil) == 0 else { throw TestKitError("no thread: \(started)") }
    }
  }
}
