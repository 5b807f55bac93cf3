#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// A request whose only field is a session's token: the token proves that the asker was given it.
public struct SessionTokenRequest: ~Escapable {
  /// What is asked with it.
  public enum Question: Sendable {
    /// Whose session it is: a `SessionRow`, then `done`.
    case introspect
    /// End all sessions of the same user but this one.
    case revokeOthers

    var kind: RequestKind {
      switch self {
      case .introspect: .introspect
      case .revokeOthers: .revokeOthers
      }
    }
  }

  public var question: Question
  public var token: Span<UInt8>

  @_lifetime(copy token)
  public init(_ question: Question, token: Span<UInt8>) {
    self.question = question
    self.token = token
  }

  /// Reads the fields behind the header.
  @_lifetime(copy fields)
  public init(_ question: Question, parsing fields: consuming ByteReader) throws(FormatError) {
    self.init(question, token: Span())
    try pass(&fields)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(question.kind.rawValue)
    var form = self
    try form.pass(&packet)
  }
}

extension SessionTokenRequest: FieldForm {
  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    token = try fields.passed(token, count: FieldLimit.token)
  }
}

/// Asks for a signed access token for a session: `IssuedReply`, then `done`.
public struct IssueTokenRequest: ~Escapable {
  /// Of the session.
  public var token: Span<UInt8>
  /// Whether a refresh token is wanted, too.
  public var isRefreshable: Bool
  /// The thumbprint of the key that the token is bound to; empty where it is bound to none.
  public var confirmation: Span<UInt8>
  /// For whom the access token is, in UTF-8; not empty.
  public var audience: Span<UInt8>

  @_lifetime(copy token, copy confirmation, copy audience)
  public init(token: Span<UInt8>, isRefreshable: Bool, confirmation: Span<UInt8>, audience: Span<UInt8>) {
    self.token = token
    self.isRefreshable = isRefreshable
    self.confirmation = confirmation
    self.audience = audience
  }
}

extension IssueTokenRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.issueToken.rawValue }

  @_lifetime(immortal)
  package init() { self.init(token: Span(), isRefreshable: false, confirmation: Span(), audience: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    token = try fields.passed(token, count: FieldLimit.token)
    isRefreshable = try fields.passed(isRefreshable)
    confirmation = try fields.passed(confirmation, noneOr: FieldLimit.thumbprint)
    audience = try fields.passed(audience, limit: FieldLimit.audience)
    guard !audience.isEmpty else { throw .badValue }
  }
}

/// Exchanges a refresh token for an access token and the next refresh token: `IssuedReply`, then `done`.
public struct RefreshTokenRequest: ~Escapable {
  public var token: Span<UInt8>
  /// As when the first one was issued.
  public var confirmation: Span<UInt8>

  @_lifetime(copy token, copy confirmation)
  public init(token: Span<UInt8>, confirmation: Span<UInt8>) {
    self.token = token
    self.confirmation = confirmation
  }
}

extension RefreshTokenRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.refreshToken.rawValue }

  @_lifetime(immortal)
  package init() { self.init(token: Span(), confirmation: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    token = try fields.passed(token, count: FieldLimit.refreshToken)
    confirmation = try fields.passed(confirmation, noneOr: FieldLimit.thumbprint)
  }
}

/// Ends the chain of a refresh token (RFC 7009): `done`, also where there is no such chain any more.
public struct EndRefreshRequest: ~Escapable {
  public var token: Span<UInt8>

  @_lifetime(copy token)
  public init(token: Span<UInt8>) { self.token = token }
}

extension EndRefreshRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.endRefresh.rawValue }

  @_lifetime(immortal)
  package init() { self.init(token: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    token = try fields.passed(token, count: FieldLimit.refreshToken)
  }
}

/// Asks for a key for what a program of the session seals: `SealingKeyReply`, then `done`.
public struct SealingKeyRequest: ~Escapable {
  /// Of the session.
  public var token: Span<UInt8>
  /// The key as it was wrapped when something was sealed; empty for a new one.
  public var wrapped: Span<UInt8>

  @_lifetime(copy token, copy wrapped)
  public init(token: Span<UInt8>, wrapped: Span<UInt8>) {
    self.token = token
    self.wrapped = wrapped
  }
}

extension SealingKeyRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.sealingKey.rawValue }

  @_lifetime(immortal)
  package init() { self.init(token: Span(), wrapped: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    token = try fields.passed(token, count: FieldLimit.token)
    wrapped = try fields.passed(wrapped, limit: FieldLimit.wrappedKey)
  }
}
