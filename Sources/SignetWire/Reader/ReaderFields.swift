import SignetBytes
import SignetMemory
import SignetVocabulary

extension ByteReader {
  /// A template: its length in four bytes, 1 to `FieldLimit.template`, then its bytes.
  @_lifetime(self: copy self)
  mutating func template() throws(FormatError) -> ClearTemplate {
    let count = try uint32()
    guard count >= 1, count <= FieldLimit.template else { throw .tooLong }
    return try ClearTemplate(copying: try bytes(Int(count)))
  }
}

extension SecretBytes {
  mutating func begin(_ kind: some RawRepresentable<UInt8>, _ operation: UInt32) throws(FormatError) {
    try begin(kind.rawValue)
    try put(UInt64(operation), size: 4)
  }

  mutating func put(template: ClearTemplate) throws(FormatError) {
    try put(UInt64(template.count), size: 4)
    try template.withBytes { bytes throws(FormatError) in try put(raw: bytes) }
  }
}
