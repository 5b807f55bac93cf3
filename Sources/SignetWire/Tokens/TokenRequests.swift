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

  /// The fields behind the header.
  @_lifetime(copy fields)
  public init(_ question: Question, parsing fields: consuming ByteReader) throws(FormatError) {
    self.question = question
    token = try fields.bytes(FieldLimit.token)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(question.kind.rawValue)
    try packet.put(token: token)
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

  /// The fields behind the header.
  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    token = try fields.bytes(FieldLimit.token)
    let flag = try fields.byte()
    guard flag <= 1 else { throw .badValue }
    isRefreshable = flag == 1
    confirmation = try fields.thumbprint()
    audience = try fields.string(limit: FieldLimit.audience)
    try fields.end()
    guard !audience.isEmpty else { throw .badValue }
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard !audience.isEmpty else { throw .badValue }
    try packet.begin(RequestKind.issueToken.rawValue)
    try packet.put(token: token)
    try packet.put(isRefreshable ? 1 : 0)
    try packet.put(thumbprint: confirmation)
    try packet.put(audience, limit: FieldLimit.audience)
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

  /// The fields behind the header.
  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    token = try fields.bytes(FieldLimit.refreshToken)
    confirmation = try fields.thumbprint()
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard token.count == FieldLimit.refreshToken else { throw .badValue }
    try packet.begin(RequestKind.refreshToken.rawValue)
    try packet.put(raw: token)
    try packet.put(thumbprint: confirmation)
  }
}

/// Ends the chain of a refresh token (RFC 7009): `done`, also where there is no such chain any more.
public struct EndRefreshRequest: ~Escapable {
  public var token: Span<UInt8>

  @_lifetime(copy token)
  public init(token: Span<UInt8>) { self.token = token }

  /// The fields behind the header.
  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    token = try fields.bytes(FieldLimit.refreshToken)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard token.count == FieldLimit.refreshToken else { throw .badValue }
    try packet.begin(RequestKind.endRefresh.rawValue)
    try packet.put(raw: token)
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

  /// The fields behind the header.
  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    token = try fields.bytes(FieldLimit.token)
    wrapped = try fields.string(limit: FieldLimit.wrappedKey)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(RequestKind.sealingKey.rawValue)
    try packet.put(token: token)
    try packet.put(wrapped, limit: FieldLimit.wrappedKey)
  }
}

extension ByteReader {
  /// A thumbprint, or none.
  @_lifetime(copy self)
  fileprivate mutating func thumbprint() throws(FormatError) -> Span<UInt8> {
    let bytes = try string(limit: FieldLimit.thumbprint)
    guard bytes.isEmpty || bytes.count == FieldLimit.thumbprint else { throw .badValue }
    return bytes
  }
}

extension SecretBytes {
  fileprivate mutating func put(token: borrowing Span<UInt8>) throws(FormatError) {
    guard token.count == FieldLimit.token else { throw .badValue }
    try put(raw: token)
  }

  fileprivate mutating func put(thumbprint: borrowing Span<UInt8>) throws(FormatError) {
    guard thumbprint.isEmpty || thumbprint.count == FieldLimit.thumbprint else { throw .badValue }
    try put(thumbprint, limit: FieldLimit.thumbprint)
  }
}
