import CLinux
import Glibc
import SignetMemory
import SignetVocabulary
import Synchronization

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

  /// The token's hexadecimal digits. The mask lets nobody read them outside of the session, root neither; but root may change it, and
  /// does so for this moment.
  package func payload() -> SecretBytes? {
    guard status == .token, var digits = SecretBytes(capacity: FieldLimit.token * 2) else { return nil }
    let length = SessionKey.reading.withLock { _ in
      guard clinux_keyctl(KEYCTL_SETPERM, number, SessionKey.mask | SessionKey.ownerReads, 0, 0) == 0 else { return -1 }
      defer { _ = clinux_keyctl(KEYCTL_SETPERM, number, SessionKey.mask, 0, 0) }
      return unsafe digits.replace { buffer in
        clinux_keyctl(KEYCTL_READ, number, UInt(bitPattern: buffer.baseAddress), UInt(bitPattern: buffer.count), 0)
      }
    }
    guard length == FieldLimit.token * 2 else { return nil }
    return digits
  }

  /// As the module makes it: the possessor may view, read and search, the owner view, write and set attributes.
  private static let mask: UInt = 0x0b25_0000
  /// `KEY_USR_READ` of the kernel's linux/key.h.
  private static let ownerReads: UInt = 0x0002_0000
  /// One at a time, or one would take from another what it reads by.
  private static let reading = Mutex(())

  private var number: UInt { UInt(UInt32(bitPattern: serial)) }
}
