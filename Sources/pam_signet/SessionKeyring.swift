import CLinux
import CPAM

/// The kernel's session keyring (keyrings(7)): the place of a released token, so that the processes of the session, and
/// nobody else, can read it.
enum SessionKeyring {
  /// The serial number of this process's session keyring; 0 for unknown. Makes none.
  static func current() -> Int32 {
    let ring = clinux_keyctl(
      KEYCTL_GET_KEYRING_ID, UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING)), 0, 0, 0)
    return ring > 0 ? Int32(truncatingIfNeeded: ring) : 0
  }
}
