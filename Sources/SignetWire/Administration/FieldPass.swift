import SignetBytes
import SignetMemory
import SignetVocabulary

/// Goes over the fields of a value in their order: `ByteReader` fills them in, `SecretBytes` writes them. A form that is
/// described with it is described once, for both directions.
protocol FieldPass: ~Copyable, ~Escapable {
  @_lifetime(self: copy self)
  mutating func byte(_ value: inout UInt8) throws(FormatError)
  @_lifetime(self: copy self)
  mutating func number(_ value: inout UInt32) throws(FormatError)
  @_lifetime(self: copy self)
  mutating func text(_ value: inout String, limit: Int) throws(FormatError)
}

extension ByteReader: FieldPass {
  @_lifetime(self: copy self)
  mutating func byte(_ value: inout UInt8) throws(FormatError) { value = try byte() }
  @_lifetime(self: copy self)
  mutating func number(_ value: inout UInt32) throws(FormatError) { value = try uint32() }
  @_lifetime(self: copy self)
  mutating func text(_ value: inout String, limit: Int) throws(FormatError) { value = try text(limit: limit) }
}

extension SecretBytes: FieldPass {
  mutating func byte(_ value: inout UInt8) throws(FormatError) { try put(value) }
  mutating func number(_ value: inout UInt32) throws(FormatError) { try put(UInt64(value), size: 4) }
  mutating func text(_ value: inout String, limit: Int) throws(FormatError) { try put(text: value, limit: limit) }
}

// The same, for a case's value that is put back into the case.
extension FieldPass where Self: ~Copyable & ~Escapable {
  @_lifetime(self: copy self)
  mutating func passed(_ text: String, limit: Int = FieldLimit.path) throws(FormatError) -> String {
    var text = text
    try self.text(&text, limit: limit)
    return text
  }

  @_lifetime(self: copy self)
  mutating func passed(_ number: UInt32) throws(FormatError) -> UInt32 {
    var number = number
    try self.number(&number)
    return number
  }

  @_lifetime(self: copy self)
  mutating func passed(_ byte: UInt8) throws(FormatError) -> UInt8 {
    var byte = byte
    try self.byte(&byte)
    return byte
  }

  /// A value that has a number of one byte; one that is not known is refused.
  @_lifetime(self: copy self)
  mutating func passed<Value: RawRepresentable<UInt8>>(_ value: Value) throws(FormatError) -> Value {
    guard let value = Value(rawValue: try passed(value.rawValue)) else { throw .badValue }
    return value
  }

  @_lifetime(self: copy self)
  mutating func passed<Form: NumberedForm>(_ form: Form, _ depth: Int) throws(FormatError) -> Form {
    var form = form
    try numbered(&form, depth: depth)
    return form
  }
}

/// What is one of many: a number says which, and fields that depend on it follow.
protocol NumberedForm {
  /// Of this one. It never changes.
  var number: UInt8 { get }
  /// One of each number, whatever its fields are.
  static var all: [Self] { get }
  /// Goes over the fields behind the number. `depth`: of what is within something else.
  mutating func pass<Fields: FieldPass & ~Copyable & ~Escapable>(_ fields: inout Fields, depth: Int) throws(FormatError)
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// The number and its fields. What says that it is within itself over and over is refused.
  @_lifetime(self: copy self)
  mutating func numbered<Form: NumberedForm>(_ value: inout Form, depth: Int = 0) throws(FormatError) {
    guard depth < 5 else { throw .badValue }
    var number = value.number
    try byte(&number)
    guard let form = Form.all.first(where: { $0.number == number }) else { throw .badValue }
    if number != value.number { value = form }
    try value.pass(&self, depth: depth + 1)
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  mutating func numbered<Form: NumberedForm>(_ form: Form) throws(FormatError) -> Form {
    var value = form
    try numbered(&value)
    return value
  }

  /// The same, or `nil` for the number 0.
  @_lifetime(self: copy self)
  mutating func numberedOrNone<Form: NumberedForm>(_ form: Form) throws(FormatError) -> Form? {
    var ahead = self
    guard try ahead.byte() == 0 else { return try numbered(form) }
    self = ahead
    return nil
  }
}

extension SecretBytes {
  mutating func put<Form: NumberedForm>(numbered form: Form) throws(FormatError) {
    var form = form
    try numbered(&form)
  }

  /// The number 0 for `nil`.
  mutating func put<Form: NumberedForm>(numberedOrNone form: Form?) throws(FormatError) {
    if let form { try put(numbered: form) } else { try put(0) }
  }
}
