#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// One of the prints that fprintd keeps, and what came of it.
public struct ImportRow: Equatable, Sendable {
  /// `nil` where a folder is at fault, with all that may be in it.
  public var finger: Finger?
  /// `ReaderDescription.identifier`, as it follows from the file's place; empty where a folder above that is at fault.
  public var reader: String
  public var outcome: ImportOutcome

  public init(finger: Finger?, reader: String, outcome: ImportOutcome) {
    self.finger = finger
    self.reader = reader
    self.outcome = outcome
  }
}

extension ImportRow: FieldForm {
  static let blank = ImportRow(finger: nil, reader: "", outcome: .taken)

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = ImportRow(
      finger: try fields.passed(orNone: finger), reader: try fields.passed(reader, limit: FieldLimit.name),
      outcome: try fields.passed(outcome))
  }
}

extension ImportOutcome: NumberedForm {
  package var number: UInt8 {
    switch self {
    case .taken: 1
    case .enrolledAlready: 2
    case .readerMissing: 3
    case .otherUser: 4
    case .misplaced: 5
    case .unusable: 6
    case .unreadable: 7
    }
  }

  // Made at each use: what a static array holds boxed looks like a leak to a sanitizer.
  package static var all: [ImportOutcome] {
    [
      .taken, .enrolledAlready, .readerMissing, .otherUser(""), .misplaced, .unusable(""), .unreadable(.notDirectory("")),
    ]
  }

  package mutating func pass(_ fields: inout some AnyFieldPass, depth: Int) throws(FormatError) {
    switch self {
    case .taken, .enrolledAlready, .readerMissing, .misplaced: break
    case .otherUser(let name): self = .otherUser(try fields.passed(user: name))
    case .unusable(let detail): self = .unusable(try fields.passed(detail, limit: FieldLimit.explanation))
    case .unreadable(let error): self = .unreadable(try fields.passed(error, depth: depth))
    }
  }
}
