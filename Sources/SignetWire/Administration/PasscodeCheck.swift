#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// What signetd sends to signet-passcode, once, to have a passcode checked.
public struct PasscodeCheck: ~Escapable {
  public var user: String
  /// The PAM service whose auth stack decides.
  public var service: String
  /// Where that service's file is, for `pam_start_confdir`; empty for the system's.
  public var confdir: String
  public var passcode: Span<UInt8>

  @_lifetime(copy passcode)
  public init(user: String, service: String, confdir: String, passcode: Span<UInt8>) {
    self.user = user
    self.service = service
    self.confdir = confdir
    self.passcode = passcode
  }

  @_lifetime(copy packet)
  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard try fields.header() == 1 else { throw .badValue }
    user = try fields.text(limit: FieldLimit.user)
    service = try fields.text(limit: FieldLimit.name)
    confdir = try fields.text(limit: FieldLimit.explanation)
    passcode = try fields.string(limit: FieldLimit.passcode)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(1)
    try packet.put(text: user, limit: FieldLimit.user)
    try packet.put(text: service, limit: FieldLimit.name)
    try packet.put(text: confdir, limit: FieldLimit.explanation)
    try packet.put(passcode, limit: FieldLimit.passcode)
  }
}

/// What signetd sends instead to learn whether a user has a passcode at all. Only signet-passcode reads shadow(5).
public struct PasscodeQuestion: Equatable, Sendable {
  public var user: String

  public init(user: String) { self.user = user }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard try fields.header() == 3 else { throw .badValue }
    user = try fields.text(limit: FieldLimit.user)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(3)
    try packet.put(text: user, limit: FieldLimit.user)
  }
}

/// What signet-passcode answers, once.
public struct PasscodeAnswer: Equatable, Sendable {
  public enum Outcome: UInt8, Sendable {
    /// The stack asked one hidden question, got the passcode, and said `PAM_SUCCESS`.
    case verified = 0xA5
    /// The stack had the passcode, and refused.
    case wrong = 1
    /// The stack said yes without asking: nothing was proved. To the question: there is no passcode, or a locked one.
    case notSet = 2
    /// No module of the stack judged the passcode: service missing, module missing, directory not reached, no hidden question, or refused
    /// before one.
    case unavailable = 3
    /// The stack had the passcode, and ended with an error that does not judge it. Nobody says that it was wrong, and it counts as a wrong
    /// one: who can bring such an error about must not guess for nothing.
    case undecided = 4
    /// The stack had the passcode, and asked for something else. It tells nothing of the passcode, and takes as long whatever that was.
    case asksMore = 6
    /// To the question: there is a passcode that is not locked, as far as this machine knows. It says nothing of a check.
    case isSet = 5
  }

  public var outcome: Outcome
  /// What pam_authenticate(3) returned, for the log.
  public var code: UInt32

  public init(outcome: Outcome, code: UInt32) {
    self.outcome = outcome
    self.code = code
  }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard try fields.header() == 2 else { throw .badValue }
    self = try fields.passed(PasscodeAnswer(outcome: .wrong, code: 0))
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(2)
    _ = try packet.passed(self)
  }
}

extension PasscodeAnswer: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = PasscodeAnswer(outcome: try fields.passed(outcome), code: try fields.passed(code))
  }
}
