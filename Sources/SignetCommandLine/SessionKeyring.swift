import CLinux
import Glibc
import SignetMemory
import SignetVocabulary
import SignetWords

/// The kernel keyring of this session (session-keyring(7)), where pam_signet puts the token.
enum SessionKeyring {
  /// Reads the token's hexadecimal digits, or says why there is none.
  static func read(into token: inout SecretBytes) throws(CommandFailure) {
    let key = search()
    guard key >= 0 else { throw failure(errno) }
    let length = unsafe token.replace { buffer in
      clinux_keyctl(KEYCTL_READ, UInt(key), UInt(bitPattern: buffer.baseAddress), UInt(buffer.count), 0)
    }
    guard length >= 0 else { throw failure(errno) }
    guard length == FieldLimit.token * 2, isHexadecimal(token.span) else {
      token.removeAll()
      throw CommandFailure(.refused, ObstacleText.foreignToken)
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

  static func failure(_ error: Int32) -> CommandFailure {
    switch error {
    case EKEYREVOKED: CommandFailure(.refused, ObstacleText.tokenRevoked)
    case EKEYEXPIRED: CommandFailure(.refused, ObstacleText.tokenExpired)
    case ENOKEY, EACCES: CommandFailure(.refused, ObstacleText.noToken)
    default: CommandFailure(.refused, ObstacleText.keyringUnreadable(error))
    }
  }
}
