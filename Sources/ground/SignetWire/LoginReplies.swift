#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// What signetd may answer.
public enum ReplyKind: UInt8, Sendable {
  /// Nothing new; signetd is alive. Sent at least every `Heartbeat.interval` while a client waits.
  case heartbeat = 64
  case show = 65
  case askPasscode = 66
  case verdict = 67
  /// The value of the item that is to be stored, in parts.
  case askValue = 68
  /// A part of a released value.
  case value = 69
  /// The end of an application's evaluation.
  case evaluated = 70
  /// An access token, and a refresh token where one was asked for.
  case issued = 71
  case sealingKey = 72
  case enrollStage = 80
  case row = 81
  case done = 82
  case refused = 83
  /// The first and last answer to whatever is asked, or the last of a request that has to make room for others.
  case busy = 84
}

/// How a waiting client knows a stopped signetd from a patient one.
public enum Heartbeat {
  /// The longest pause between two packets of signetd while a client waits, in milliseconds.
  public static var interval: Int32 { 250 }
  /// When a client gives signetd up, in milliseconds: below the second within which a passcode prompt is promised.
  public static var limit: Int32 { 900 }
}

/// A reply of signetd during a login, as the module reads it. Replies of kinds it does not know are an error.
public enum LoginReply: ~Escapable {
  case heartbeat
  case show(Prompt, value: UInt8, detail: Span<UInt8>)
  case askPasscode(PasscodeReason)
  /// `token` has `FieldLimit.token` bytes with a success, or none where the service gets no token; else none. `authtok`: the login
  /// secret, with a success by finger only;
  /// empty where none is released.
  case verdict(Verdict, EvidenceMethod, token: Span<UInt8>, authtok: Span<UInt8>)
  /// signetd has no place for this request, whatever it is. Whose places are taken.
  case busy(Crowd)

  @_lifetime(copy packet)
  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = ReplyKind(rawValue: try fields.header()) else { throw .badValue }
    try self.init(blank: kind)
    try pass(&fields)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(kind.rawValue)
    var form = self
    try form.pass(&packet)
  }
}

extension LoginReply: FieldForm {
  private var kind: ReplyKind {
    switch self {
    case .heartbeat: .heartbeat
    case .show: .show
    case .askPasscode: .askPasscode
    case .verdict: .verdict
    case .busy: .busy
    }
  }

  /// One of this kind, into which a packet is read.
  @_lifetime(immortal)
  private init(blank kind: ReplyKind) throws(FormatError) {
    switch kind {
    case .heartbeat: self = .heartbeat
    case .show: self = .show(.touchReader, value: 0, detail: Span())
    case .askPasscode: self = .askPasscode(.userFallback)
    case .verdict: self = .verdict(.authenticationFailed, .none, token: Span(), authtok: Span())
    case .busy: self = .busy(.ofAsker)
    case .askValue, .value, .evaluated, .issued, .sealingKey, .enrollStage, .row, .done, .refused: throw .badValue
    }
  }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    switch self {
    case .heartbeat: break
    case .show(let prompt, let value, let detail):
      self = .show(
        try fields.passed(prompt), value: try fields.passed(value), detail: try fields.passed(detail, limit: FieldLimit.name))
    case .askPasscode(let reason): self = .askPasscode(try fields.passed(reason))
    case .verdict(let verdict, let method, let token, let authtok):
      let (verdict, method) = (try fields.passed(verdict), try fields.passed(method))
      let token = try fields.passed(token, noneOr: FieldLimit.token)
      let authtok = try fields.passed(authtok, limit: FieldLimit.passcode)
      // A success says what proved it, and may carry a token; anything else has neither.
      let isSuccess = verdict == .success
      guard isSuccess == (method != .none), isSuccess || token.isEmpty, authtok.isEmpty || method == .fingerprint else {
        throw .badValue
      }
      self = .verdict(verdict, method, token: token, authtok: authtok)
    case .busy(let crowd): self = .busy(try fields.passed(crowd))
    }
  }
}
