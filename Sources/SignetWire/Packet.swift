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
