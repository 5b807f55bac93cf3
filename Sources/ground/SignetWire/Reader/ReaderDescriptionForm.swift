#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

extension ReaderDescription: FieldForm {
  static let blank = ReaderDescription(
    identifier: "", name: "", driver: "", isSwipe: false, canIdentify: false, hasStorage: false, enrollStages: 0)

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    var passed = ReaderDescription(
      identifier: try fields.passed(identifier, limit: FieldLimit.name), name: try fields.passed(name, limit: FieldLimit.name),
      driver: try fields.passed(driver, limit: FieldLimit.name), isSwipe: try fields.passed(isSwipe),
      canIdentify: try fields.passed(canIdentify), hasStorage: try fields.passed(hasStorage),
      enrollStages: try fields.passed(enrollStages))
    passed.obstacle = try fields.passed(obstacle)
    self = passed
  }
}
