import SignetBytes

/// What is one of many: a number says which, and fields that depend on it follow.
package protocol NumberedForm: FieldForm {
  /// Of this one. It never changes.
  var number: UInt8 { get }
  /// One of each number, whatever its fields are.
  static var all: [Self] { get }
  /// Passes the fields behind the number. `depth`: of what is within something else.
  mutating func pass(_ fields: inout some AnyFieldPass, depth: Int) throws(FormatError)
}

extension NumberedForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) { self = try fields.passed(self, depth: 0) }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// The number and its fields. What says that it is within itself over and over is refused.
  @_lifetime(self: copy self)
  package mutating func passed<Form: NumberedForm>(_ form: Form, depth: Int) throws(FormatError) -> Form {
    guard depth < 5 else { throw .badValue }
    let number = try passed(form.number)
    guard var passed = number == form.number ? form : Form.all.first(where: { $0.number == number }) else { throw .badValue }
    try passed.pass(&self, depth: depth + 1)
    return passed
  }

  /// The same, or the number 0 for `nil`.
  @_lifetime(self: copy self)
  package mutating func passed<Form: NumberedForm>(orNone form: Form?) throws(FormatError) -> Form? {
    try passed(
      form,
      read: { fields throws(FormatError) in
        var ahead = fields
        guard try ahead.byte() == 0 else { return try fields.passed(Form.all[0]) }
        fields = ahead
        return nil
      },
      write: { packet, form throws(FormatError) in
        if let form { _ = try packet.passed(form) } else { try packet.put(0) }
      })
  }
}
