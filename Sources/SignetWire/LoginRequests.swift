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

  /// Reads the fields behind the header.
  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    guard let policy = Policy(rawValue: try fields.byte()) else { throw .badValue }
    let timeout = try fields.uint16()
    guard timeout >= 1, timeout <= 3600 else { throw .badValue }
    let user = try fields.string(limit: FieldLimit.user)
    let service = try fields.string(limit: FieldLimit.name)
    let terminal = try fields.string(limit: FieldLimit.name)
    let remoteHost = try fields.string(limit: FieldLimit.host)
    guard let question = QuestionForm(rawValue: try fields.byte()) else { throw .badValue }
    try fields.end()
    self.init(
      policy: policy, timeout: timeout, user: user, service: service, terminal: terminal, remoteHost: remoteHost,
      question: question)
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(RequestKind.authenticate.rawValue)
    try packet.put(policy.rawValue)
    try packet.put(UInt64(timeout), size: 2)
    try packet.put(user, limit: FieldLimit.user)
    try packet.put(service, limit: FieldLimit.name)
    try packet.put(terminal, limit: FieldLimit.name)
    try packet.put(remoteHost, limit: FieldLimit.host)
    try packet.put(question.rawValue)
  }
}

/// Answers `Reply.askPasscode`.
public struct PasscodeRequest: ~Escapable {
  public var passcode: Span<UInt8>

  @_lifetime(copy passcode)
  public init(passcode: Span<UInt8>) { self.passcode = passcode }

  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    passcode = try fields.string(limit: FieldLimit.passcode)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(RequestKind.passcode.rawValue)
    try packet.put(passcode, limit: FieldLimit.passcode)
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

  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    token = try fields.bytes(FieldLimit.token)
    key = Int32(truncatingIfNeeded: try fields.uint32())
    terminal = try fields.string(limit: FieldLimit.name)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard token.count == FieldLimit.token else { throw .badValue }
    try packet.begin(RequestKind.openSession.rawValue)
    try packet.put(raw: token)
    try packet.put(UInt64(UInt32(bitPattern: key)), size: 4)
    try packet.put(terminal, limit: FieldLimit.name)
  }
}

/// Ends the session of a token.
public struct CloseSessionRequest: ~Escapable {
  public var token: Span<UInt8>

  @_lifetime(copy token)
  public init(token: Span<UInt8>) { self.token = token }

  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    token = try fields.bytes(FieldLimit.token)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard token.count == FieldLimit.token else { throw .badValue }
    try packet.begin(RequestKind.closeSession.rawValue)
    try packet.put(raw: token)
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

  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    user = try fields.string(limit: FieldLimit.user)
    old = try fields.string(limit: FieldLimit.passcode)
    new = try fields.string(limit: FieldLimit.passcode)
    try fields.end()
    guard !new.isEmpty else { throw .badValue }
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard !new.isEmpty else { throw .badValue }
    try packet.begin(RequestKind.passcodeChanged.rawValue)
    try packet.put(user, limit: FieldLimit.user)
    try packet.put(old, limit: FieldLimit.passcode)
    try packet.put(new, limit: FieldLimit.passcode)
  }
}
