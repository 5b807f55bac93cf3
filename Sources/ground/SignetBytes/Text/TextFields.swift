#if !hasFeature(Embedded)
  import SignetMemory
#endif

extension ByteReader {
  /// UTF-8 text; invalid UTF-8 is refused.
  @_lifetime(self: copy self)
  public mutating func text(limit: Int) throws(FormatError) -> String {
    let bytes = try string(limit: limit)
    guard let text = String(validating: Array(copying: bytes), as: UTF8.self) else { throw .badValue }
    return text
  }

  /// A byte that is 0 or 1.
  @_lifetime(self: copy self)
  public mutating func flag() throws(FormatError) -> Bool { try passed(false) }
}

extension SecretBytes {
  /// UTF-8 text of at most `limit` bytes.
  public mutating func put(text: String, limit: Int) throws(FormatError) {
    try put(Array(text.utf8).span, limit: limit)
  }
}

extension Array where Element == UInt8 {
  /// The bytes of a span as an array of their own.
  public init(copying bytes: Span<UInt8>) {
    self.init(capacity: bytes.count) { output in
      for index in bytes.indices { output.append(bytes[index]) }
    }
  }

  /// The lowest bytes of a number, lowest first.
  public init(littleEndian number: some FixedWidthInteger, size: Int) {
    self = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

extension Collection where Element == UInt8 {
  /// Two lower-case digits a byte.
  public var hexadecimal: String {
    unsafe String(unsafeUninitializedCapacity: 2 * count) { text in
      var end = 0
      for byte in self {
        unsafe text[end] = Self.digit(byte &>> 4)
        unsafe text[end + 1] = Self.digit(byte & 15)
        end += 2
      }
      return end
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// UTF-8 text of at most `limit` bytes.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed(_ text: String, limit: Int) throws(FormatError) -> String {
    try passed(
      text, read: { fields throws(FormatError) in try fields.text(limit: limit) },
      write: { packet, text throws(FormatError) in try packet.put(text: text, limit: limit) })
  }

  /// At most `limit` bytes.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed(_ bytes: [UInt8], limit: Int) throws(FormatError) -> [UInt8] {
    try passed(
      bytes, read: { fields throws(FormatError) in Array(copying: try fields.string(limit: limit)) },
      write: { packet, bytes throws(FormatError) in try packet.put(bytes.span, limit: limit) })
  }

  /// Exactly `count` bytes, without a length.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed(_ bytes: [UInt8], count: Int) throws(FormatError) -> [UInt8] {
    try passed(
      bytes, read: { fields throws(FormatError) in Array(copying: try fields.bytes(count)) },
      write: { packet, bytes throws(FormatError) in _ = try packet.passed(bytes.span, count: count) })
  }
}
