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
}

extension ContextRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.context.rawValue }

  @_lifetime(immortal)
  package init() { self.init(name: Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    name = try fields.passed(name, limit: FieldLimit.name)
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
}

extension EvaluateRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.evaluate.rawValue }

  package init() { self.init(policy: .deviceOwnerAuthentication, timeout: 1) }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    policy = try fields.passed(policy)
    timeout = try fields.passed(timeout)
    reuse = try fields.passed(reuse)
    mayInteract = try !fields.passed(!mayInteract)
    guard timeout >= 1, timeout <= 3600, reuse <= EvaluateRequest.longestReuse else { throw .badValue }
  }
}

/// Asks, in a context, whether an evaluation could succeed: `PolicyRow`, then `done`. Nothing is shown, and no reader is opened.
public struct CanEvaluateRequest: Equatable, Sendable {
  public var policy: Policy

  public init(policy: Policy) { self.policy = policy }
}

extension CanEvaluateRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.canEvaluate.rawValue }

  package init() { self.init(policy: .deviceOwnerAuthentication) }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    policy = try fields.passed(policy)
  }
}

/// Starts a connection on which `BiometryRow`s come, one at once and one after each change, until the client closes it or cancels.
public struct WatchRequest: Equatable, Sendable {
  public init() {}
}

extension WatchRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.watch.rawValue }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {}
}

/// Starts a connection on which `OpeningRow`s come, one at once and one after each change, until the client closes it or cancels.
public struct WatchVaultRequest: Equatable, Sendable {
  public init() {}
}

extension WatchVaultRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.watchVault.rawValue }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {}
}

/// Forgets what a context's evaluations have proved. `done` answers it.
public struct ForgetRequest: Equatable, Sendable {
  public init() {}
}

extension ForgetRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.forget.rawValue }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {}
}
