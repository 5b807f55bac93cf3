import CLinux
import CPAM

/// The kernel's session keyring (keyrings(7)): the place of a released token, so that the processes of the session, and
/// nobody else, can read it.
enum SessionKeyring {
  /// The serial number of this process's session keyring; 0 for unknown. Makes none.
  static func current() -> Int32 {
    let ring = clinux_keyctl(KEYCTL_GET_KEYRING_ID, UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING)), 0, 0, 0)
    return ring > 0 ? Int32(truncatingIfNeeded: ring) : 0
  }

  /// Puts a token into the session keyring of user `uid`: the one that pam_keyinit has made since `authenticate`, else a
  /// new one.
  ///
  /// Without pam_keyinit in the stack the ring is still the caller's, and a key in it would be read by who ran su. A new
  /// ring has no name, because a named one could be joined by others.
  static func add(_ token: ReleasedToken, uid: uid_t) -> Int32? {
    let ring = current()
    if token.ring == 0 || ring == 0 || ring == token.ring || owner(of: ring) != uid {
      guard clinux_keyctl(KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) > 0 else { return nil }
    }
    guard var digits = SecretBytes(capacity: FieldLimit.token &* 2), token.withToken({ write($0, into: &digits) }) else {
      return nil
    }
    let key = unsafe digits.span.withUnsafeBytes { bytes -> Int32 in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe clinux_add_key(c("user"), c("signet:token"), start, bytes.count, KEY_SPEC_SESSION_KEYRING)
    }
    guard key > 0 else { return nil }
    guard protect(key) else {
      revoke(key)
      return nil
    }
    return key
  }

  /// Takes this process, and whom it will start, out of a ring that is not user `uid`'s, into a new one. su and sudo hand the
  /// ring of who calls them on to the other user's processes, which may then read every key in it. The caller's shell has its
  /// ring as before: only processes that come from this one have the new one.
  static func leave(unlessOf uid: uid_t) -> Bool {
    let ring = current()
    return ring == 0 || owner(of: ring) == uid || clinux_keyctl(KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) > 0
  }

  /// Revoked, a key cannot be read even by those who still hold it.
  static func revoke(_ key: Int32) { _ = clinux_keyctl(KEYCTL_REVOKE, UInt(UInt32(bitPattern: key)), 0, 0, 0) }

  /// The possessor may view, read and search (0x0b); the owner, root, may view, write and set attributes (0x25), which is
  /// what revoking from outside takes; nobody else anything.
  private static func protect(_ key: Int32) -> Bool {
    let serial = UInt(UInt32(bitPattern: key))
    return clinux_keyctl(KEYCTL_SET_TIMEOUT, serial, UInt(TokenLifetime.session), 0, 0) == 0
      && clinux_keyctl(KEYCTL_SETPERM, serial, 0x0b25_0000, 0, 0) == 0
  }

  /// The uid in what the kernel describes as "type;uid;gid;permissions;description".
  private static func owner(of ring: Int32) -> uid_t? {
    var description = InlineArray<128, UInt8>(repeating: 0)
    var text = description.mutableSpan
    let length = unsafe text.withUnsafeMutableBytes { buffer in
      clinux_keyctl(
        KEYCTL_DESCRIBE, UInt(UInt32(bitPattern: ring)), UInt(bitPattern: buffer.baseAddress), UInt(buffer.count), 0)
    }
    guard length > 0 else { return nil }
    var index = 0
    while index < 128, text[index] != UInt8(ascii: ";") { index &+= 1 }
    index &+= 1
    var uid: UInt64 = 0
    while index < 128, text[index] != UInt8(ascii: ";") {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9, uid <= UInt64(uid_t.max) else { return nil }
      uid = uid &* 10 &+ UInt64(digit)
      index &+= 1
    }
    return uid <= UInt64(uid_t.max) ? uid_t(truncatingIfNeeded: uid) : nil
  }

  /// Lower-case hexadecimal digits, so that `keyctl print` and `signet token` print the same.
  private static func write(_ token: Span<UInt8>, into digits: inout SecretBytes) -> Bool {
    var index = 0
    while index < token.count {
      guard digits.append(digit(token[index] &>> 4)), digits.append(digit(token[index] & 15)) else { return false }
      index &+= 1
    }
    return digits.count == FieldLimit.token &* 2
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
  }
}
