import CLinux
import Glibc

/// Keys of the kernel as the module makes them for tokens, and others. Each is in a ring of its own, because a ring has one key
/// of a name, and gone ten minutes after the last one was made, or with this process.
public enum TokenKey {
  /// The one ring of this process below the ring of the user who runs the test. It cannot be searched: a program that looks for its
  /// token must not find these, and the kernel, which looks for each key's owner through all rings, would take a millisecond for a
  /// thousand.
  private static let home: Int32 = {
    let ring = clinux_add_key("keyring", "signet-test-\(getpid())", [UInt8](), 0, KEY_SPEC_USER_KEYRING)
    if ring > 0 {
      _ = clinux_keyctl(KEYCTL_SETPERM, UInt(ring), 0x2525_0000, 0, 0)
      atexit { _ = clinux_keyctl(KEYCTL_REVOKE, UInt(home), 0, 0, 0) }
    }
    return ring
  }()

  /// Makes a key and returns its serial number.
  public static func make(type: String = "user", description: String = "signet:token") throws -> Int32 {
    guard home > 0 else { throw TestKitError("no keyrings (keyctl)") }
    _ = clinux_keyctl(KEYCTL_SET_TIMEOUT, UInt(home), 600, 0, 0)
    // Made in the thread's own ring: only who has a ring may fill it, and of what is in `home` nobody is taken to have it.
    let ring = clinux_add_key("keyring", "\(UInt64.random(in: 0 ... .max))", [UInt8](), 0, KEY_SPEC_THREAD_KEYRING)
    guard ring > 0 else { throw TestKitError("add_key, a ring: \(clinux_errno())") }
    defer { _ = clinux_keyctl(KEYCTL_UNLINK, UInt(ring), UInt(bitPattern: Int(KEY_SPEC_THREAD_KEYRING)), 0, 0) }
    let payload: [UInt8] = type == "keyring" ? [] : Array("token".utf8)
    let key = clinux_add_key(type, description, payload, payload.count, ring)
    guard key > 0 else { throw TestKitError("add_key: \(clinux_errno())") }
    // The module's own mask.
    _ = clinux_keyctl(KEYCTL_SETPERM, UInt(key), 0x0b25_0000, 0, 0)
    guard clinux_keyctl(KEYCTL_LINK, UInt(ring), UInt(home), 0, 0) == 0 else {
      throw TestKitError("KEYCTL_LINK: \(clinux_errno())")
    }
    return key
  }

  /// Gives a key to another user.
  public static func give(_ key: Int32, to uid: UInt32) throws {
    guard clinux_keyctl(KEYCTL_CHOWN, UInt(key), UInt(uid), UInt(UInt32.max), 0) == 0 else {
      throw TestKitError("KEYCTL_CHOWN: \(clinux_errno())")
    }
  }

  /// Ends a key, as the kernel does when nobody has it any more.
  public static func end(_ key: Int32) { _ = clinux_keyctl(KEYCTL_REVOKE, UInt(key), 0, 0, 0) }

  /// Whether nobody has revoked it. That a key is there is known of one that may not be looked at, too.
  public static func isAlive(_ key: Int32) -> Bool {
    clinux_keyctl(KEYCTL_DESCRIBE, UInt(key), 0, 0, 0) >= 0 || clinux_errno() == EACCES
  }
}
