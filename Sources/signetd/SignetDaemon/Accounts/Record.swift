import SignetBytes
import SignetDigest
import SignetMemory

/// The form of every state file: what it is, whose it is, its fields, and the SHA-256 of all that. A file that is torn,
/// altered, or was copied from another user or purpose is not a record.
///
/// The digest has no key: it finds damage and mistakes, not an attacker who can write as root. A template has none, because
/// its seal covers the whole file.
package enum Record {
  /// What a file is: four bytes at its start.
  package enum Purpose: String, Sendable {
    case strikes = "SGst"
    case template = "SGtp"
    case session = "SGss"
    case refresh = "SGrf"
    case matched = "SGmf"

    /// Of its form.
    var version: UInt8 { self == .refresh || self == .matched ? 1 : self == .strikes ? 3 : 2 }
    /// The oldest form that is read.
    var oldestVersion: UInt8 { self == .template ? 2 : 1 }
  }

  /// Makes a file's contents.
  package static func encode(
    _ purpose: Purpose, uid: UInt32, limit: Int, _ fields: (inout SecretBytes) throws(FormatError) -> Void
  ) throws(FormatError) -> [UInt8] {
    guard var packet = SecretBytes(capacity: limit) else { throw .tooLong }
    try begin(purpose, uid: uid, &packet)
    try fields(&packet)
    let bytes = Array(copying: packet.span)
    return bytes + SHA256.hash(bytes.span)
  }

  /// Reads a file's contents; `fields` gets the version of their form, and must read all of them.
  package static func decode<Value>(
    _ purpose: Purpose, uid: UInt32, _ bytes: [UInt8], _ fields: (inout ByteReader, UInt8) throws(FormatError) -> Value
  ) throws(FormatError) -> Value {
    guard bytes.count > SHA256.length else { throw .truncated }
    let body = bytes.span.extracting(droppingLast: SHA256.length)
    guard bytes.suffix(SHA256.length).elementsEqual(SHA256.hash(body)) else { throw .badValue }
    var reader = ByteReader(body)
    let version = try begin(purpose, uid: uid, &reader)
    let value = try fields(&reader, version)
    try reader.end()
    return value
  }

  /// Whose a file says it is, before anything of it is checked: what is named otherwise than by its user.
  package static func uid(of bytes: [UInt8]) throws(FormatError) -> UInt32 {
    guard bytes.count > 9 else { throw .truncated }
    return bytes[5..<9].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
  }

  /// Writes what a file is and whose.
  static func begin(_ purpose: Purpose, uid: UInt32, _ packet: inout SecretBytes) throws(FormatError) {
    try packet.put(raw: Array(purpose.rawValue.utf8).span)
    try packet.put(purpose.version)
    try packet.put(UInt64(uid), size: 4)
  }

  /// Reads what a file is and whose, and refuses any other. Returns the version of its form.
  @discardableResult
  @_lifetime(fields: copy fields)
  static func begin(_ purpose: Purpose, uid: UInt32, _ fields: inout ByteReader) throws(FormatError) -> UInt8 {
    guard Array(copying: try fields.bytes(4)) == Array(purpose.rawValue.utf8) else { throw .badValue }
    let version = try fields.byte()
    guard version >= purpose.oldestVersion, version <= purpose.version else { throw .wrongVersion }
    guard try fields.uint32() == uid else { throw .badValue }
    return version
  }
}
