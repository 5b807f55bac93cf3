import SignetBytes
import SignetMemory

/// A packet of one of several kinds, whose fields are described once, for both directions.
package protocol PacketForm: FieldForm {
  associatedtype Kind: RawRepresentable<UInt8>, Equatable
  var kind: Kind { get }
  /// One of each kind, whatever its fields are.
  static var all: [Self] { get }
}

extension PacketForm {
  package init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = Kind(rawValue: try fields.header()) else { throw .badValue }
    try self.init(kind: kind, parsing: fields)
  }

  /// Reads the fields behind the header.
  package init(kind: Kind, parsing fields: consuming ByteReader) throws(FormatError) {
    guard let form = Self.all.first(where: { $0.kind == kind }) else { throw .badValue }
    self = try fields.passed(form)
    try fields.end()
  }

  package func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(kind.rawValue)
    _ = try packet.passed(self)
  }
}
