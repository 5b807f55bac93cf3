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
}

extension SecretBytes: FieldPass {
  @inlinable package mutating func passed<Value>(
    _ value: Value, read: (inout ByteReader) throws(FormatError) -> Value,
    write: (inout SecretBytes, Value) throws(FormatError) -> Void
  ) throws(FormatError) -> Value {
    try write(&self, value)
    return value
  }
}

/// A value whose fields are described once, for both directions.
package protocol FieldForm {
  /// Passes each field, in their order, and takes it as it comes back.
  mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError)
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// An unsigned number in as many bytes as its type has, little-endian.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) throws(FormatError) -> Number {
    try passed(
      number,
      read: { fields throws(FormatError) in Number(truncatingIfNeeded: try fields.integer(size: Number.bitWidth / 8)) },
      write: { packet, number throws(FormatError) in try packet.put(UInt64(number), size: Number.bitWidth / 8) })
  }

  /// A byte that is 0 or 1.
  @inlinable @_lifetime(self: copy self)
  package mutating func passed(_ flag: Bool) throws(FormatError) -> Bool {
    try passed(
      flag, read: { fields throws(FormatError) in try fields.flag() },
      write: { packet, flag throws(FormatError) in try packet.put(flag ? 1 : 0) })
  }

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
