// SignetWire is the form of every packet between Signet's processes: reading and writing, bounds-checked. No sockets, no
// decisions. PROTOCOL.md beside this file is its specification. The files of this folder are compiled twice: normally,
// and in Embedded Swift inside the PAM module; its folders only normally.

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// The bounds of a packet, in bytes, and the version with which each begins.
public enum PacketLimit {
  /// The protocol's version, the first byte of every packet.
  public static var version: UInt8 { 1 }
  /// The longest packet between a client and signetd.
  public static var packet: Int { 4096 }
  /// The longest packet between signetd and signet-reader: a template and its header.
  public static var readerPacket: Int { FieldLimit.template + 512 }
  /// The longest part of an item's value in one packet; a value has so many bytes in each of its packets but the last.
  public static var valuePart: Int { 3968 }
}

extension ByteReader {
  /// Reads the version and kind that start every packet.
  @_lifetime(self: copy self)
  public mutating func header() throws(FormatError) -> UInt8 {
    guard try byte() == PacketLimit.version else { throw .wrongVersion }
    return try byte()
  }
}

extension SecretBytes {
  /// Starts a packet: empties the buffer and writes version and kind.
  public mutating func begin(_ kind: UInt8) throws(FormatError) {
    removeAll()
    try put(PacketLimit.version)
    try put(kind)
  }
}

/// A message of one kind, whose fields are described once, for both directions.
package protocol MessageForm: FieldForm, ~Escapable {
  /// What its header says.
  static var kind: UInt8 { get }
  /// One with empty fields, into which a message is read.
  @_lifetime(immortal)
  init()
}

extension MessageForm where Self: ~Escapable {
  /// Reads the fields behind the header.
  @inlinable @_lifetime(copy fields)
  package init(parsing fields: consuming ByteReader) throws(FormatError) {
    self.init()
    try pass(&fields)
    try fields.end()
  }

  /// Reads a packet.
  @inlinable @_lifetime(copy packet)
  package init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard try fields.header() == Self.kind else { throw .badValue }
    try self.init(parsing: fields)
  }

  /// Writes a packet.
  @inlinable package func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(Self.kind)
    var form = self
    try form.pass(&packet)
  }
}
