import SignetDigest
import SignetMemory
import SignetWire

/// The form of every state file: what it is, whose it is, its fields, and the SHA-256 of all that. A file that is torn,
/// altered, or was copied from another user or purpose is not a record.
///
/// The digest has no key: it finds damage and mistakes, not an attacker who can write as root.
enum Record {
  /// What a file is: four bytes at its start.
  enum Purpose: String {
    case strikes = "SGst"
    case template = "SGtp"
    case session = "SGss"
  }

  static let version: UInt8 = 1

  /// Makes a file's contents.
  static func encode(
    _ purpose: Purpose, uid: UInt32, limit: Int, _ fields: (inout SecretBytes) throws(WireError) -> Void
  ) throws(WireError) -> [UInt8] {
    guard var packet = SecretBytes(capacity: limit) else { throw .tooLong }
    try packet.put(raw: Array(purpose.rawValue.utf8).span)
    try packet.put(version)
    try packet.put(UInt64(uid), size: 4)
    try fields(&packet)
    let bytes = Array(copying: packet.span)
    return bytes + SHA256.hash(bytes.span)
  }

  /// Reads a file's contents; `fields` must read all of them.
  static func decode<Value>(
    _ purpose: Purpose, uid: UInt32, _ bytes: [UInt8], _ fields: (inout WireReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    guard bytes.count > SHA256.length else { throw .truncated }
    let body = bytes.span.extracting(droppingLast: SHA256.length)
    guard bytes.suffix(SHA256.length).elementsEqual(SHA256.hash(body)) else { throw .badValue }
    var reader = WireReader(body)
    guard Array(copying: try reader.bytes(4)) == Array(purpose.rawValue.utf8) else { throw .badValue }
    guard try reader.byte() == version else { throw .wrongVersion }
    guard try reader.uint32() == uid else { throw .badValue }
    let value = try fields(&reader)
    try reader.end()
    return value
  }
}
