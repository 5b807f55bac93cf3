#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
#endif

/// A packet of one of several kinds, whose fields are described once, for both directions.
///
/// Its own `init(parsing:)` and `write(into:)` call what is here: so the compiler makes of these a version for each type.
package protocol PacketForm: FieldForm {
  associatedtype Kind: RawRepresentable<UInt8>, Equatable
  var kind: Kind { get }
  /// One of each kind, whatever its fields are.
  static var all: [Self] { get }
}

extension PacketForm {
  static func read(_ packet: Span<UInt8>) throws(FormatError) -> Self {
    var fields = ByteReader(packet)
    guard let kind = Kind(rawValue: try fields.header()) else { throw .badValue }
    return try Self(kind: kind, parsing: fields)
  }

  /// Reads the fields behind the header.
  package init(kind: Kind, parsing fields: consuming ByteReader) throws(FormatError) {
    guard let form = Self.all.first(where: { $0.kind == kind }) else { throw .badValue }
    self = try fields.passed(form)
    try fields.end()
  }

  func put(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(kind.rawValue)
    _ = try packet.passed(self)
  }
}
