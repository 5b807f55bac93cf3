import SignetBytes
import SignetDigest
import SignetMemory
import SignetVocabulary
import SignetWire

/// The form of a history file: rows one after another, each by itself recognisable.
///
/// A row is a mark, the length of what it says as `u16`, what it says (a version, the uid and name of whose history it
/// is, and the event as the wire has it), and the first eight bytes of the SHA-256 of all that. What is not such a row, a
/// tail that a crash tore or bytes that somebody altered, is passed over up to the next mark, and shown as a gap. The
/// digest has no key: it finds damage, not an attacker who can write as root.
package enum HistoryRows {
  private static let mark = Array("SGev".utf8)
  private static let version: UInt8 = 1
  private static let digestLength = 8
  /// The longest row; the longest name, program, service and terminal fit.
  package static let longest = 2048

  /// One row's bytes.
  package static func encode(_ row: EventRow, uid: UInt32, owner: String) throws(FormatError) -> [UInt8] {
    guard var packet = SecretBytes(capacity: longest) else { throw .tooLong }
    try packet.put(version)
    try packet.put(UInt64(uid), size: 4)
    try packet.put(text: owner, limit: FieldLimit.user)
    _ = try packet.passed(row)
    let head = mark + [UInt8(packet.count & 255), UInt8(packet.count >> 8)]
    let body = head + Array(copying: packet.span)
    return body + SHA256.hash(body.span).prefix(digestLength)
  }

  /// The rows in a file's bytes that belong to this user, in their order; a gap for each part that is no row. Rows of a
  /// former owner of the uid, who had another name, are left out. For any bytes at all.
  package static func decode(_ bytes: [UInt8], uid: UInt32, owner: String) -> [EventRow] {
    var rows: [EventRow] = []
    var index = 0
    var lost = 0
    while index < bytes.count {
      guard let found = row(in: bytes, at: index) else {
        index += 1
        lost += 1
        continue
      }
      note(&lost, in: &rows)
      if found.uid == uid, found.owner == owner { rows.append(found.row) }
      index = found.end
    }
    note(&lost, in: &rows)
    return rows
  }

  private static func note(_ lost: inout Int, in rows: inout [EventRow]) {
    guard lost > 0 else { return }
    rows.append(
      EventRow(time: rows.last?.time ?? 0, event: .gap(lost, .bytes), requester: EventRequester()))
    lost = 0
  }

  private struct Found {
    var uid: UInt32
    var owner: String
    var row: EventRow
    /// Behind its last byte.
    var end: Int
  }

  private static func row(in bytes: [UInt8], at start: Int) -> Found? {
    let fields = start + mark.count + 2
    guard bytes[start] == mark[0], fields <= bytes.count, bytes[start..<(start + mark.count)].elementsEqual(mark) else {
      return nil
    }
    let length = Int(bytes[fields - 2]) | Int(bytes[fields - 1]) << 8
    let end = fields + length + digestLength
    guard length <= longest, end <= bytes.count else { return nil }
    let body = bytes.span.extracting(start..<(fields + length))
    guard bytes[(fields + length)..<end].elementsEqual(SHA256.hash(body).prefix(digestLength)) else { return nil }
    return try? parse(bytes.span.extracting(fields..<(fields + length)), end: end)
  }

  private static func parse(_ fields: Span<UInt8>, end: Int) throws(FormatError) -> Found {
    var reader = ByteReader(fields)
    guard try reader.byte() == version else { throw .wrongVersion }
    let uid = try reader.uint32()
    let owner = try reader.text(limit: FieldLimit.user)
    let row = try reader.passed(EventRow.blank)
    try reader.end()
    return Found(uid: uid, owner: owner, row: row, end: end)
  }
}
