import CLinux
import Glibc
import Synchronization

/// Keys of the kernel as the module makes them for tokens, and others. Each is in a ring of its own, below the ring of the
/// user who runs the test, and gone after ten minutes.
public enum TokenKey {
  private static let rings = Atomic<Int>(0)

  /// Makes a key and returns its serial number.
  public static func make(type: String = "user", description: String = "signet:token") throws -> Int32 {
    let number = rings.add(1, ordering: .relaxed).newValue
    let ring = clinux_add_key("keyring", "signet-test-\(getpid())-\(number)", [UInt8](), 0, KEY_SPEC_USER_KEYRING)
    guard ring > 0 else { throw TestKitError("no keyrings (keyctl): \(clinux_errno())") }
    let payload: [UInt8] = type == "keyring" ? [] : Array("token".utf8)
    let key = clinux_add_key(type, description, payload, payload.count, ring)
    guard key > 0 else { throw TestKitError("add_key: \(clinux_errno())") }
    for serial in [key, ring] { _ = clinux_keyctl(KEYCTL_SET_TIMEOUT, UInt(serial), 600, 0, 0) }
    // The module's own mask.
    _ = clinux_keyctl(KEYCTL_SETPERM, UInt(key), 0x0b25_0000, 0, 0)
    // Not to be searched: a program that looks for its token must not find this one.
    _ = clinux_keyctl(KEYCTL_SETPERM, UInt(ring), 0x0101_0000, 0, 0)
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
