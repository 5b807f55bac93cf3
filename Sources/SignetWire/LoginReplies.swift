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
    switch kind {
    case .heartbeat:
      try fields.end()
      self = .heartbeat
    case .show:
      guard let prompt = Prompt(rawValue: try fields.byte()) else { throw .badValue }
      let value = try fields.byte()
      let detail = try fields.string(limit: FieldLimit.name)
      try fields.end()
      self = .show(prompt, value: value, detail: detail)
    case .askPasscode:
      guard let reason = PasscodeReason(rawValue: try fields.byte()) else { throw .badValue }
      try fields.end()
      self = .askPasscode(reason)
    case .verdict:
      let verdict = Verdict(rawValue: try fields.byte())
      guard let method = EvidenceMethod(rawValue: try fields.byte()) else { throw .badValue }
      let token = try fields.string(limit: FieldLimit.token)
      let authtok = try fields.string(limit: FieldLimit.passcode)
      try fields.end()
      // A success says what proved it, and may carry a token; anything else has neither.
      let isSuccess = verdict == .success
      guard isSuccess == (method != .none), token.isEmpty || isSuccess && token.count == FieldLimit.token else { throw .badValue }
      guard authtok.isEmpty || method == .fingerprint else { throw .badValue }
      self = .verdict(verdict, method, token: token, authtok: authtok)
    case .busy:
      guard let crowd = Crowd(rawValue: try fields.byte()) else { throw .badValue }
      try fields.end()
      self = .busy(crowd)
    case .askValue, .value, .evaluated, .issued, .sealingKey, .enrollStage, .row, .done, .refused:
      throw .badValue
    }
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    switch self {
    case .heartbeat:
      try packet.begin(ReplyKind.heartbeat.rawValue)
    case .show(let prompt, let value, let detail):
      try packet.begin(ReplyKind.show.rawValue)
      try packet.put(prompt.rawValue)
      try packet.put(value)
      try packet.put(detail, limit: FieldLimit.name)
    case .askPasscode(let reason):
      try packet.begin(ReplyKind.askPasscode.rawValue)
      try packet.put(reason.rawValue)
    case .verdict(let verdict, let method, let token, let authtok):
      try packet.begin(ReplyKind.verdict.rawValue)
      try packet.put(verdict.rawValue)
      try packet.put(method.rawValue)
      try packet.put(token, limit: FieldLimit.token)
      try packet.put(authtok, limit: FieldLimit.passcode)
    case .busy(let crowd):
      try packet.begin(ReplyKind.busy.rawValue)
      try packet.put(crowd.rawValue)
    }
  }
}
