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

  /// Reads a packet.
  @_lifetime(copy packet)
  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard try fields.header() == ReplyKind.issued.rawValue else { throw .badValue }
    lifetime = try fields.uint32()
    refreshToken = try fields.string(limit: FieldLimit.refreshToken)
    accessToken = try fields.string(limit: FieldLimit.accessToken)
    try fields.end()
    guard refreshToken.isEmpty || refreshToken.count == FieldLimit.refreshToken, !accessToken.isEmpty else { throw .badValue }
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard refreshToken.isEmpty || refreshToken.count == FieldLimit.refreshToken, !accessToken.isEmpty else { throw .badValue }
    try packet.begin(ReplyKind.issued.rawValue)
    try packet.put(UInt64(lifetime), size: 4)
    try packet.put(refreshToken, limit: FieldLimit.refreshToken)
    try packet.put(accessToken, limit: FieldLimit.accessToken)
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

  /// Reads a packet.
  @_lifetime(copy packet)
  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard try fields.header() == ReplyKind.sealingKey.rawValue else { throw .badValue }
    key = try fields.bytes(FieldLimit.token)
    wrapped = try fields.string(limit: FieldLimit.wrappedKey)
    try fields.end()
    guard !wrapped.isEmpty else { throw .badValue }
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard key.count == FieldLimit.token, !wrapped.isEmpty else { throw .badValue }
    try packet.begin(ReplyKind.sealingKey.rawValue)
    try packet.put(raw: key)
    try packet.put(wrapped, limit: FieldLimit.wrappedKey)
  }
}
