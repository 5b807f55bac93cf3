import CLinux

#if !hasFeature(Embedded)
  import SignetMemory
  import SignetVocabulary
#endif

/// The token of this login session, in the kernel's session keyring (session-keyring(7)), where pam_signet puts it.
public enum SessionToken {
  /// Why there is none to be had.
  public enum Failure: Error, Equatable, Sendable {
    /// What the kernel says: `ENOKEY`, `EKEYEXPIRED`, `EKEYREVOKED` and others.
    case unreadable(Int32)
    /// The key of this name is none of Signet's.
    case foreign
  }

  /// Puts the token's hexadecimal digits, `FieldLimit.token` times two, into the buffer, which must hold more than these.
  public static func read(into token: inout SecretBytes) throws(Failure) {
    let key = search()
    guard key >= 0 else { throw .unreadable(clinux_errno()) }
    let length = unsafe token.replace { buffer in
      clinux_keyctl(KEYCTL_READ, UInt(bitPattern: key), UInt(bitPattern: buffer.baseAddress), UInt(bitPattern: buffer.count), 0)
    }
    guard length >= 0 else { throw .unreadable(clinux_errno()) }
    guard length == FieldLimit.token &* 2, isHexadecimal(token.span) else {
      token.removeAll()
      throw .foreign
    }
  }

  private static func search() -> Int {
    let ring = UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING))
    return unsafe "user".withCString { type in
      unsafe "signet:token".withCString { name in
        clinux_keyctl(KEYCTL_SEARCH, ring, UInt(bitPattern: type), UInt(bitPattern: name), 0)
      }
    }
  }

  private static func isHexadecimal(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): continue
      default: return false
      }
    }
    return true
  }
}
