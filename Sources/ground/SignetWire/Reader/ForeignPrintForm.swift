#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

extension ForeignPrint: FieldForm {
  static let blank = ForeignPrint(driver: "", device: "", finger: nil, user: "", reader: "")

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = ForeignPrint(
      driver: try fields.passed(driver, limit: FieldLimit.name), device: try fields.passed(device, limit: FieldLimit.name),
      finger: try fields.passed(orNone: finger), user: try fields.passed(user: user),
      reader: try fields.passed(reader, limit: FieldLimit.name))
  }
}
