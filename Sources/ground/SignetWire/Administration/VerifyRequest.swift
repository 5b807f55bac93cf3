#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// Asks whether a finger is the user's.
public struct VerifyRequest: Equatable, Sendable {
  public var user: String
  /// The finger that it has to be; `nil` for any.
  public var finger: Finger?
  /// The reader's identifier; empty for any.
  public var reader: String
  /// How long a finger is waited for, in seconds (1 to 3600).
  public var timeout: UInt16
  /// Where not, no finger is asked for: the verdict is `notInteractive` where one could be.
  public var mayInteract: Bool

  public init(user: String, finger: Finger? = nil, reader: String = "", timeout: UInt16 = 1, mayInteract: Bool = true) {
    self.user = user
    self.finger = finger
    self.reader = reader
    self.timeout = timeout
    self.mayInteract = mayInteract
  }
}

extension VerifyRequest: FieldForm {
  static let blank = VerifyRequest(user: "")

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = VerifyRequest(
      user: try fields.passed(user: user), finger: try fields.passed(orNone: finger),
      reader: try fields.passed(reader, limit: FieldLimit.name), timeout: try fields.passed(timeout),
      mayInteract: try !fields.passed(!mayInteract))
    guard timeout >= 1, timeout <= 3600 else { throw .badValue }
  }
}
