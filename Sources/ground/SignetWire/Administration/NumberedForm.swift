#if !hasFeature(Embedded)
  import SignetBytes
#endif

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
    try passed(form, of: try passed(form.number), depth: depth)
  }

  /// The same, or the number 0 for `nil`.
  @_lifetime(self: copy self)
  package mutating func passed<Form: NumberedForm>(orNone form: Form?) throws(FormatError) -> Form? {
    let number = try passed(form?.number ?? 0)
    return number == 0 ? nil : try passed(form, of: number, depth: 0)
  }

  @_lifetime(self: copy self)
  private mutating func passed<Form: NumberedForm>(_ form: Form?, of number: UInt8, depth: Int) throws(FormatError) -> Form {
    let form = form?.number == number ? form : Form.all.first { $0.number == number }
    guard depth < 5, var form else { throw .badValue }
    try form.pass(&self, depth: depth + 1)
    return form
  }
}
