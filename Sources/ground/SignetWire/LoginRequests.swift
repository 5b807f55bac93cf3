#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// Starts an evaluation for one user.
public struct AuthenticateRequest: ~Escapable {
  public var policy: Policy
  /// How long a finger is waited for, in seconds (1 to 3600), over the whole evaluation.
  public var timeout: UInt16
  /// The user's name as the caller has it, at most `FieldLimit.user` bytes; signetd resolves it to a uid.
  public var user: Span<UInt8>
  /// The PAM service, for the log and for other callers' "reader is in use by".
  public var service: Span<UInt8>
  /// `PAM_TTY`, or empty.
  public var terminal: Span<UInt8>
  /// `PAM_RHOST`, or empty.
  public var remoteHost: Span<UInt8>
  /// It decides what is asked first, and nothing else.
  public var question: QuestionForm

  @_lifetime(copy user, copy service, copy terminal, copy remoteHost)
  public init(
    policy: Policy, timeout: UInt16, user: Span<UInt8>, service: Span<UInt8>, terminal: Span<UInt8>, remoteHost: Span<UInt8>,
    question: QuestionForm = .beside
  ) {
    self.policy = policy
    self.timeout = timeout
    self.user = user
    self.service = service
    self.terminal = terminal
    self.remoteHost = remoteHost
    self.question = question
  }
}

extension AuthenticateRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.authenticate.rawValue }

  @_lifetime(immortal)
  package init() {
    self.init(
      policy: .deviceOwnerAuthentication, timeout: 1, user: Span(), service: Span(), terminal: Span(), remoteHost: Span())
  }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    policy = try fields.passed(policy)
    timeout = try fields.passed(timeout)
    guard timeout >= 1, timeout <= 3600 else { throw .badValue }
    user = try fields.passed(user, limit: FieldLimit.user)
    service = try fields.passed(service, limit: FieldLimit.name)
    terminal = try fields.passed(terminal, limit: FieldLimit.name)
    remoteHost = try fields.passed(remoteHost, limit: FieldLimit.host)
    question = try fields.passed(question)
  }
}

/// Answers `Reply.askPasscode`.
public struct PasscodeRequest: ~Escapable {
  public var passcode: Span<UInt8>

  @_lifetime(copy passcode)
  public init(passcode: Span<UInt8>) { self.passcode = passcode }
}

extension PasscodeRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.passcode.rawValue }

  @_lifetime(immortal)
  package init() { self.init(passcode: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    passcode = try fields.passed(passcode, limit: FieldLimit.passcode)
  }
}

/// Tells signetd that the session of a released token has begun, and where the token was put.
public struct OpenSessionRequest: ~Escapable {
  public var token: Span<UInt8>
  /// The key's serial number (keyrings(7)), so that signetd can revoke it from outside.
  public var key: Int32
  public var terminal: Span<UInt8>

  @_lifetime(copy token, copy terminal)
  public init(token: Span<UInt8>, key: Int32, terminal: Span<UInt8>) {
    self.token = token
    self.key = key
    self.terminal = terminal
  }
}

extension OpenSessionRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.openSession.rawValue }

  @_lifetime(immortal)
  package init() { self.init(token: Span(), key: 0, terminal: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    token = try fields.passed(token, count: FieldLimit.token)
    key = Int32(bitPattern: try fields.passed(UInt32(bitPattern: key)))
    terminal = try fields.passed(terminal, limit: FieldLimit.name)
  }
}

/// Ends the session of a token.
public struct CloseSessionRequest: ~Escapable {
  public var token: Span<UInt8>

  @_lifetime(copy token)
  public init(token: Span<UInt8>) { self.token = token }
}

extension CloseSessionRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.closeSession.rawValue }

  @_lifetime(immortal)
  package init() { self.init(token: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    token = try fields.passed(token, count: FieldLimit.token)
  }
}

/// Tells signetd that the user has a new passcode, so that their vault opens with it. signetd believes neither of the two: it
/// checks the new one as it checks any, and the old one by the vault.
public struct PasscodeChangedRequest: ~Escapable {
  public var user: Span<UInt8>
  /// Empty where it is not known, as when root sets a passcode.
  public var old: Span<UInt8>
  public var new: Span<UInt8>

  @_lifetime(copy user, copy old, copy new)
  public init(user: Span<UInt8>, old: Span<UInt8>, new: Span<UInt8>) {
    self.user = user
    self.old = old
    self.new = new
  }
}

extension PasscodeChangedRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.passcodeChanged.rawValue }

  @_lifetime(immortal)
  package init() { self.init(user: Span(), old: Span(), new: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    user = try fields.passed(user, limit: FieldLimit.user)
    old = try fields.passed(old, limit: FieldLimit.passcode)
    new = try fields.passed(new, limit: FieldLimit.passcode)
    guard !new.isEmpty else { throw .badValue }
  }
}
