// SignetSealing encrypts what lies on disk: under a key of this machine (`DeviceKey`), and under keys that the vault makes.
// Whatever is sealed is bound to what it is, whose it is and what it is called (`SealContext`), so that a file that was
// copied to another user, name or purpose does not open.

import SignetBytes

/// What a sealed text is bound to. It is not stored: who opens the text says what it expects.
public struct SealContext: Equatable, Sendable {
  /// What it is, in four ASCII letters.
  public var purpose: StaticString
  /// The version of its form.
  public var version: UInt8
  /// Whose it is.
  public var uid: UInt32
  /// Its name among those of its purpose; empty where there is one a user.
  public var name: [UInt8]

  public init(_ purpose: StaticString, version: UInt8 = 1, uid: UInt32, name: [UInt8] = []) {
    self.purpose = purpose
    self.version = version
    self.uid = uid
    self.name = name
  }

  /// The associated data: no two contexts have the same.
  var associatedData: [UInt8] {
    let letters = purpose.withUTF8Buffer { unsafe Array($0) }
    return Array("signet/".utf8) + [UInt8(truncatingIfNeeded: letters.count)] + letters + [version]
      + Array(littleEndian: uid, size: 4) + name
  }

  public static func == (left: SealContext, right: SealContext) -> Bool { left.associatedData == right.associatedData }
}
