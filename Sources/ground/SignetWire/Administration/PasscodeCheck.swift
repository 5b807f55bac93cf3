#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// What signetd sends to signet-passcode first, where it wants a passcode checked: by which stack. The modules are loaded while the
/// passcode is still on its way.
public struct PasscodeStack: Equatable, Sendable {
  public var user: String
  /// The PAM service whose auth stack decides.
  public var service: String
  /// Where that service's file is, for `pam_start_confdir`; empty for the system's.
  public var confdir: String

  public init(user: String, service: String, confdir: String) {
    self.user = user
    self.service = service
    self.confdir = confdir
  }
}

extension PasscodeStack: MessageForm {
  package static var kind: UInt8 { 4 }

  package init() { self.init(user: "", service: "", confdir: "") }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    user = try fields.passed(user, limit: FieldLimit.user)
    service = try fields.passed(service, limit: FieldLimit.name)
    confdir = try fields.passed(confdir, limit: FieldLimit.explanation)
  }
}

/// The passcode for the stack that was named before.
public struct PasscodeCheck: ~Escapable {
  public var passcode: Span<UInt8>

  @_lifetime(copy passcode)
  public init(passcode: Span<UInt8>) { self.passcode = passcode }
}

extension PasscodeCheck: MessageForm {
  package static var kind: UInt8 { 1 }

  @_lifetime(immortal)
  package init() { self.init(passcode: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    passcode = try fields.passed(passcode, limit: FieldLimit.passcode)
  }
}

/// What signetd sends instead to learn whether a user has a passcode at all. Only signet-passcode reads shadow(5).
public struct PasscodeQuestion: Equatable, Sendable {
  public var user: String

  public init(user: String) { self.user = user }
}

extension PasscodeQuestion: MessageForm {
  package static var kind: UInt8 { 3 }

  package init() { self.init(user: "") }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    user = try fields.passed(user, limit: FieldLimit.user)
  }
}

/// What signetd sends instead to learn whether the user's account is open: by the account stack of the service that checks passcodes.
public struct AccountQuestion: Equatable, Sendable {
  public var stack: PasscodeStack

  public init(_ stack: PasscodeStack) { self.stack = stack }
}

extension AccountQuestion: MessageForm {
  package static var kind: UInt8 { 5 }

  package init() { self.init(PasscodeStack()) }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) { try stack.pass(&fields) }
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
    /// To the question of the account: the stack said `PAM_SUCCESS`. Far from the others, and no check's.
    case accountOpen = 0x5A
    /// It refused.
    case accountClosed = 7
    /// It lets nobody in before the passcode is changed.
    case passcodeExpired = 8
    /// It did not judge: service missing, module missing, directory not reached.
    case accountUnknown = 9
  }

  public var outcome: Outcome
  /// What pam_authenticate(3) or pam_acct_mgmt(3) returned, for the log.
  public var code: UInt32

  public init(outcome: Outcome, code: UInt32) {
    self.outcome = outcome
    self.code = code
  }
}

extension PasscodeAnswer: MessageForm {
  package static var kind: UInt8 { 2 }

  package init() { self.init(outcome: .wrong, code: 0) }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    outcome = try fields.passed(outcome)
    code = try fields.passed(code)
  }
}
