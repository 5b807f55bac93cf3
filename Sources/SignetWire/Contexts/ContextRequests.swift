#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

// What applications ask. The files of this folder are compiled twice: normally, and in Embedded Swift inside libsignet.

/// Makes the connection a context, in which many requests follow one another: `evaluate`, `canEvaluate`, `forget` and what is
/// asked of the vault. `done` answers it.
public struct ContextRequest: ~Escapable {
  /// What the program calls itself, at most `FieldLimit.name` bytes; may be empty. It is only shown, and never believed.
  public var name: Span<UInt8>

  @_lifetime(copy name)
  public init(name: Span<UInt8>) { self.name = name }

  /// Reads the fields behind the header.
  @_lifetime(copy fields)
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    name = try fields.string(limit: FieldLimit.name)
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(RequestKind.context.rawValue)
    try packet.put(name, limit: FieldLimit.name)
  }
}

/// Starts an evaluation of the caller in a context: `EvaluatedReply` ends it.
public struct EvaluateRequest: Equatable, Sendable {
  public var policy: Policy
  /// How long a finger is waited for, in seconds (1 to 3600), over the whole evaluation.
  public var timeout: UInt16
  /// How long ago the user may have unlocked a screen at this seat by finger, in seconds (0 to `longestReuse`), so that no
  /// finger is asked for now; 0 asks for one.
  public var reuse: UInt16
  /// Whether the user may be shown and asked anything; otherwise the verdict is `notInteractive` where that would be needed.
  public var mayInteract: Bool

  /// The longest `reuse`, in seconds: Apple's `LATouchIDAuthenticationMaximumAllowableReuseDuration`.
  public static var longestReuse: UInt16 { 300 }

  public init(policy: Policy, timeout: UInt16, reuse: UInt16 = 0, mayInteract: Bool = true) {
    self.policy = policy
    self.timeout = timeout
    self.reuse = reuse
    self.mayInteract = mayInteract
  }

  /// Reads the fields behind the header.
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    guard let policy = Policy(rawValue: try fields.byte()) else { throw .badValue }
    let timeout = try fields.uint16()
    let reuse = try fields.uint16()
    let options = try fields.byte()
    try fields.end()
    guard timeout >= 1, timeout <= 3600, reuse <= EvaluateRequest.longestReuse, options <= 1 else { throw .badValue }
    self.init(policy: policy, timeout: timeout, reuse: reuse, mayInteract: options == 0)
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(RequestKind.evaluate.rawValue)
    try packet.put(policy.rawValue)
    try packet.put(UInt64(timeout), size: 2)
    try packet.put(UInt64(reuse), size: 2)
    try packet.put(mayInteract ? 0 : 1)
  }
}

/// Asks, in a context, whether an evaluation could succeed: `PolicyRow`, then `done`. Nothing is shown, and no reader is opened.
public struct CanEvaluateRequest: Equatable, Sendable {
  public var policy: Policy

  public init(policy: Policy) { self.policy = policy }

  /// Reads the fields behind the header.
  public init(parsing fields: consuming ByteReader) throws(FormatError) {
    guard let policy = Policy(rawValue: try fields.byte()) else { throw .badValue }
    try fields.end()
    self.policy = policy
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(RequestKind.canEvaluate.rawValue)
    try packet.put(policy.rawValue)
  }
}

/// Starts a connection on which `BiometryRow`s come, one at once and one after each change, until the client closes it or cancels.
public struct WatchRequest: Equatable, Sendable {
  public init() {}

  /// Reads the fields behind the header, of which there are none.
  public init(parsing fields: consuming ByteReader) throws(FormatError) { try fields.end() }

  public func write(into packet: inout SecretBytes) throws(FormatError) { try packet.begin(RequestKind.watch.rawValue) }
}

/// Forgets what a context's evaluations have proved. `done` answers it.
public struct ForgetRequest: Equatable, Sendable {
  public init() {}

  /// Reads the fields behind the header, of which there are none.
  public init(parsing fields: consuming ByteReader) throws(FormatError) { try fields.end() }

  public func write(into packet: inout SecretBytes) throws(FormatError) { try packet.begin(RequestKind.forget.rawValue) }
}
