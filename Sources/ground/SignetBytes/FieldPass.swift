#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// Goes over the fields of a form in their order. Each is handed in and comes back: a `ByteReader` returns what it reads,
/// whatever was handed in; `SecretBytes` writes what is handed in, and returns it. So one description of a form serves to
/// read it and to write it.
package protocol FieldPass: ~Copyable, ~Escapable {
  /// A field of any form, which `read` and `write` know.
  @_lifetime(self: copy self)
  mutating func passed<Value>(
    _ value: Value, read: (inout ByteReader) throws(FormatError) -> Value,
    write: (inout SecretBytes, Value) throws(FormatError) -> Void
  ) throws(FormatError) -> Value

  /// An unsigned number of `size` bytes (1 to 8), little-endian.
  @_lifetime(self: copy self)
  mutating func passed(_ number: UInt64, size: Int) throws(FormatError) -> UInt64

  /// A byte string of at most `limit` bytes, behind its length in two.
  @_lifetime(copy self, copy bytes) @_lifetime(self: copy self)
  mutating func passed(_ bytes: Span<UInt8>, limit: Int) throws(FormatError) -> Span<UInt8>

  /// Exactly `count` bytes, without a length.
  @_lifetime(copy self, copy bytes) @_lifetime(self: copy self)
  mutating func passed(_ bytes: Span<UInt8>, count: Int) throws(FormatError) -> Span<UInt8>
}

package typealias AnyFieldPass = FieldPass & ~Copyable & ~Escapable

extension ByteReader: FieldPass {
  @inlinable @_lifetime(self: copy self)
  package mutating func passed<Value>(
    _ value: Value, read: (inout ByteReader) throws(FormatError) -> Value,
    write: (inout SecretBytes, Value) throws(FormatError) -> Void
  ) throws(FormatError) -> Value {
    try read(&self)
  }

  @inlinable @_lifetime(self: copy self)
  package mutating func passed(_ number: UInt64, size: Int) throws(FormatError) -> UInt64 { try integer(size: size) }

  @inlinable @_lifetime(copy self) @_lifetime(self: copy self)
  package mutating func passed(_ bytes: Span<UInt8>, limit: Int) throws(FormatError) -> Span<UInt8> { try string(limit: limit) }

  @inlinable @_lifetime(copy self) @_lifetime(self: copy self)
  package mutating func passed(_ bytes: Span<UInt8>, count: Int) throws(FormatError) -> Span<UInt8> { try self.bytes(count) }
}

extension SecretBytes: FieldPass {
  @inlinable package mutating func passed<Value>(
    _ value: Value, read: (inout ByteReader) throws(FormatError) -> Value,
    write: (inout SecretBytes, Value) throws(FormatError) -> Void
  ) throws(FormatError) -> Value {
    try write(&self, value)
    return value
  }

  @inlinable package mutating func passed(_ number: UInt64, size: Int) throws(FormatError) -> UInt64 {
    try put(number, size: size)
    return number
  }

  @inlinable @_lifetime(copy bytes)
  package mutating func passed(_ bytes: Span<UInt8>, limit: Int) throws(FormatError) -> Span<UInt8> {
    try put(bytes, limit: limit)
    return bytes
  }

  @inlinable @_lifetime(copy bytes)
  package mutating func passed(_ bytes: Span<UInt8>, count: Int) throws(FormatError) -> Span<UInt8> {
    guard bytes.count == count else { throw .badValue }
    try put(raw: bytes)
    return bytes
  }
}

/// A value whose fields are described once, for both directions.
package protocol FieldForm: ~Escapable {
  /// Passes each field, in their order, and takes it as it comes back.
  @_lifetime(self: copy self, copy fields)
  mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError)
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// An unsigned number in as many bytes as its type has, little-endian.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) throws(FormatError) -> Number {
    Number(truncatingIfNeeded: try passed(UInt64(number), size: Number.bitWidth / 8))
  }

  /// Exactly `count` bytes behind their length in two, or none.
  @inlinable @_lifetime(copy self, copy bytes) @_lifetime(self: copy self)
  package mutating func passed(_ bytes: Span<UInt8>, noneOr count: Int) throws(FormatError) -> Span<UInt8> {
    let bytes = try passed(bytes, limit: count)
    guard bytes.isEmpty || bytes.count == count else { throw .badValue }
    return bytes
  }

  /// A byte that is 0 or 1.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed(_ flag: Bool) throws(FormatError) -> Bool {
    let byte: UInt8 = try passed(flag ? 1 : 0)
    guard byte <= 1 else { throw .badValue }
    return byte == 1
  }

  /// A byte that stands for one of several values; any other is refused.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed<Value: RawRepresentable<UInt8>>(_ value: Value) throws(FormatError) -> Value {
    guard let value = Value(rawValue: try passed(value.rawValue)) else { throw .badValue }
    return value
  }

  /// The same, or 0 for none.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed<Value: RawRepresentable<UInt8>>(orNone value: Value?) throws(FormatError) -> Value? {
    let number = try passed(value?.rawValue ?? 0)
    if number == 0 { return nil }
    guard let value = Value(rawValue: number) else { throw .badValue }
    return value
  }

  @inlinable @_lifetime(self: copy self)
  package mutating func passed<Form: FieldForm>(_ form: Form) throws(FormatError) -> Form {
    var form = form
    try form.pass(&self)
    return form
  }
}
