// SignetBytes reads and writes bounded fields, for packets and for files alike, and lines of text: it knows what a number or
// a text looks like, and nothing of what it means. The files of this folder are compiled twice: normally, and in Embedded
// Swift inside the PAM module; `Text/` only normally.

/// Why bytes were refused.
public enum FormatError: Error, Equatable, Sendable {
  /// The bytes end inside a field.
  case truncated
  /// Bytes follow the last field.
  case trailing
  /// A field is longer than its bound, or the whole does not fit the buffer.
  case tooLong
  /// Another version of the protocol or of the file's form.
  case wrongVersion
  /// The kind, or a field's value, is unknown or not allowed here.
  case badValue
}

/// Reads the fields of one packet or file from the front.
///
/// Each access is guarded before it is made, so that the span's own bounds checks, which would trap, cannot fire.
public struct ByteReader: ~Escapable {
  private var rest: Span<UInt8>

  @_lifetime(copy packet)
  public init(_ packet: Span<UInt8>) { rest = packet }

  @_lifetime(self: copy self)
  public mutating func byte() throws(FormatError) -> UInt8 {
    guard rest.count > 0 else { throw .truncated }
    let value = rest[0]
    drop(1)
    return value
  }

  /// An unsigned integer of `size` bytes (1 to 8), little-endian.
  @_lifetime(self: copy self)
  public mutating func integer(size: Int) throws(FormatError) -> UInt64 {
    guard size > 0, size <= 8, rest.count >= size else { throw .truncated }
    var value: UInt64 = 0
    var index = 0
    while index < size, index < rest.count {
      value |= UInt64(truncatingIfNeeded: rest[index]) &<< UInt64(truncatingIfNeeded: index &* 8)
      index &+= 1
    }
    drop(size)
    return value
  }

  /// Drops bytes from the front: in one place, where the compiler sees the guard and leaves out the span's own, a trap.
  @inline(never)
  @_lifetime(self: copy self)
  private mutating func drop(_ count: Int) {
    guard count >= 0, count <= rest.count else { return }
    rest = rest.extracting(droppingFirst: count)
  }

  @_lifetime(self: copy self)
  public mutating func uint16() throws(FormatError) -> UInt16 { UInt16(truncatingIfNeeded: try integer(size: 2)) }

  @_lifetime(self: copy self)
  public mutating func uint32() throws(FormatError) -> UInt32 { UInt32(truncatingIfNeeded: try integer(size: 4)) }

  @_lifetime(self: copy self)
  public mutating func uint64() throws(FormatError) -> UInt64 { try integer(size: 8) }

  /// Exactly `count` bytes.
  @_lifetime(copy self)
  public mutating func bytes(_ count: Int) throws(FormatError) -> Span<UInt8> {
    guard count >= 0, count <= rest.count else { throw .truncated }
    let value = rest.extracting(first: count)
    drop(count)
    return value
  }

  /// A byte string: its length in two bytes, at most `limit`, then its bytes.
  @_lifetime(copy self)
  public mutating func string(limit: Int) throws(FormatError) -> Span<UInt8> {
    let count = Int(try uint16())
    guard count <= limit else { throw .tooLong }
    return try bytes(count)
  }

  /// Whether every byte was read.
  public var isAtEnd: Bool { rest.isEmpty }

  /// Refuses bytes behind the last field.
  public func end() throws(FormatError) {
    guard rest.isEmpty else { throw .trailing }
  }
}
