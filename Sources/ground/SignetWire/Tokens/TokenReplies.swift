#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// What was issued for a session.
public struct IssuedReply: ~Escapable {
  /// In how many seconds the access token expires.
  public var lifetime: UInt32
  /// Empty where none was asked for.
  public var refreshToken: Span<UInt8>
  /// A JWT in its compact form.
  public var accessToken: Span<UInt8>

  @_lifetime(copy refreshToken, copy accessToken)
  public init(lifetime: UInt32, refreshToken: Span<UInt8>, accessToken: Span<UInt8>) {
    self.lifetime = lifetime
    self.refreshToken = refreshToken
    self.accessToken = accessToken
  }
}

extension IssuedReply: MessageForm {
  package static var kind: UInt8 { ReplyKind.issued.rawValue }

  @_lifetime(immortal)
  package init() { self.init(lifetime: 0, refreshToken: Span(), accessToken: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    lifetime = try fields.passed(lifetime)
    refreshToken = try fields.passed(refreshToken, noneOr: FieldLimit.refreshToken)
    accessToken = try fields.passed(accessToken, limit: FieldLimit.accessToken)
    guard !accessToken.isEmpty else { throw .badValue }
  }
}

/// A key for what a program of the session seals.
public struct SealingKeyReply: ~Escapable {
  /// `FieldLimit.token` bytes.
  public var key: Span<UInt8>
  /// To be kept with what is sealed: for it signetd gives the same key again.
  public var wrapped: Span<UInt8>

  @_lifetime(copy key, copy wrapped)
  public init(key: Span<UInt8>, wrapped: Span<UInt8>) {
    self.key = key
    self.wrapped = wrapped
  }
}

extension SealingKeyReply: MessageForm {
  package static var kind: UInt8 { ReplyKind.sealingKey.rawValue }

  @_lifetime(immortal)
  package init() { self.init(key: Span(), wrapped: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    key = try fields.passed(key, count: FieldLimit.token)
    wrapped = try fields.passed(wrapped, limit: FieldLimit.wrappedKey)
    guard !wrapped.isEmpty else { throw .badValue }
  }
}
