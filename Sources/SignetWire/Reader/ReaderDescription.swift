import SignetBytes
import SignetMemory
import SignetVocabulary

extension ReaderDescription {
  @_lifetime(fields: copy fields)
  public init(parsing fields: inout ByteReader) throws(FormatError) {
    self.init(
      identifier: try fields.text(limit: FieldLimit.name), name: try fields.text(limit: FieldLimit.name),
      driver: try fields.text(limit: FieldLimit.name), isSwipe: try fields.flag(), canIdentify: try fields.flag(),
      hasStorage: try fields.flag(), enrollStages: try fields.byte())
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.put(text: identifier, limit: FieldLimit.name)
    try packet.put(text: name, limit: FieldLimit.name)
    try packet.put(text: driver, limit: FieldLimit.name)
    try packet.put(isSwipe ? 1 : 0)
    try packet.put(canIdentify ? 1 : 0)
    try packet.put(hasStorage ? 1 : 0)
    try packet.put(enrollStages)
  }
}
