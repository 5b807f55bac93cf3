// SignetSealing encrypts what is stored on disk, under the key of this machine (`DeviceKey`) and under keys that the vault
// makes. Everything sealed is bound to its purpose, its user and its name (`SealContext`), so that a file that was copied to
// another user, name or purpose cannot be opened there.

import SignetBytes

/// What sealed bytes are bound to. It is not stored with them: whoever opens them must name the same context.
public struct SealContext: Equatable, Sendable {
  /// The kind of file that it belongs to, in four ASCII letters.
  public var purpose: StaticString
  /// The version of that kind's format.
  public var version: UInt8
  /// The user whose it is.
  public var uid: UInt32
  /// Tells it apart from others of the same purpose; empty where a user has only one of them.
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
