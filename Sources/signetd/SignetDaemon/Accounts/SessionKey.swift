import CLinux
import Glibc

/// The kernel's key (keyrings(7)) that a session's token is in, known by the serial number that the module gave.
///
/// Root may revoke any key, so signetd must not act on a number that somebody else chose: it first asks the kernel what the
/// number stands for. It asks again before revoking, because the kernel gives the numbers of dead keys to new ones.
package struct SessionKey {
  /// What a number stands for now.
  package enum Status: Equatable {
    /// A key as the module makes it.
    case token
    /// No key, or one that was revoked or has expired.
    case gone
    /// Some other key, or one that cannot be looked at.
    case foreign
  }

  private let serial: Int32

  package init(_ serial: Int32) { self.serial = serial }

  package var status: Status {
    guard serial > 0 else { return .foreign }
    // A token's description is far shorter. Of a longer one the kernel copies nothing.
    var text = [UInt8](repeating: 0, count: 128)
    let length = unsafe text.withUnsafeMutableBytes { buffer in
      clinux_keyctl(KEYCTL_DESCRIBE, number, UInt(bitPattern: buffer.baseAddress), UInt(buffer.count), 0)
    }
    guard length >= 0 else { return [ENOKEY, EKEYREVOKED, EKEYEXPIRED].contains(clinux_errno()) ? .gone : .foreign }
    guard length <= text.count else { return .foreign }
    return SessionKey.isToken(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)) ? .token : .foreign
  }

  /// Reads the kernel's "type;uid;gid;permissions;description". The module runs as root, as signetd does, and so do the keys
  /// that it makes; one that a user made belongs to that user.
  static func isToken(_ text: String, owner: UInt32 = geteuid()) -> Bool {
    let fields = text.split(separator: ";", maxSplits: 4, omittingEmptySubsequences: false)
    return fields.count == 5 && fields[0] == "user" && fields[1] == "\(owner)" && fields[4] == "signet:token"
  }

  /// keyctl(2) `KEYCTL_REVOKE`, of a token's key only; its mask lets its owner do this from outside the session.
  package func revoke() {
    guard status == .token else { return }
    _ = clinux_keyctl(KEYCTL_REVOKE, number, 0, 0, 0)
  }

  private var number: UInt { UInt(UInt32(bitPattern: serial)) }
}
