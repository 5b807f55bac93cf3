#if !hasFeature(Embedded)
  import SignetClient
  import SignetMemory
  import SignetVocabulary
#endif

/// What the user answered.
public enum HostAnswer: Equatable, Sendable {
  /// Nothing yet. Where a passcode was asked for: the answer comes later.
  case nothing
  /// The passcode, which is in the buffer.
  case passcode
  /// To be asked for the passcode instead of the finger.
  case fallback
  /// The user gave up.
  case declined
  /// Nobody can be asked.
  case impossible
}

/// Whether another process shows and asks on the connection.
public enum HandOver: Equatable, Sendable {
  /// The host does so itself.
  case none
  /// One was started; this descriptor is readable once it has ended.
  case started(Int32)
  case impossible
}

/// How a program shows and asks while a request of a context is under way. All calls come from the thread that makes the request.
public protocol ContextHost: ~Copyable {
  /// Whether anybody can be shown or asked anything.
  var canInteract: Bool { get }
  /// For poll(2): readable while a signal is held back. -1 where signals act as ever.
  var signals: Int32 { get }
  /// For poll(2): readable when the user has typed something. -1 where nothing is watched.
  var keys: Int32 { get }

  /// What the signals ask for, once `signals` is readable.
  mutating func signalEffect() -> HeldSignals.Effect
  /// Lets the process stop, and returns when it is continued.
  mutating func suspend()
  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>)
  /// From now on the user may ask for the passcode instead: at once where the policy has one, after the first miss otherwise, where it
  /// is the program's own fallback. May be called again.
  mutating func offerFallback()
  /// Asks for the passcode.
  mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer
  /// Takes what the user answered, after `keys` was readable or somebody told of an answer. Where no passcode is asked for only
  /// `fallback` and `declined` are of use.
  ///
  /// - Parameter events: what poll(2) said of `keys`; 0 for nothing.
  mutating func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer
  /// signetd has something to show or to ask for the first time: another process may take the connection for that.
  mutating func handOver(_ connection: Int32) -> HandOver
  /// That process has ended; false where it could not show and ask.
  mutating func takeBack() -> Bool
  /// Ends that process, because the request was given up.
  mutating func endHandOver()
  /// The request is over: terminal and signals are the program's again.
  mutating func finish()
}

extension ContextHost where Self: ~Copyable {
  public var signals: Int32 { -1 }
  public var keys: Int32 { -1 }
  public mutating func signalEffect() -> HeldSignals.Effect { .nothing }
  public mutating func suspend() {}
  public mutating func offerFallback() {}
  public mutating func answer(_ events: Int16, isAsked: Bool, into passcode: inout SecretBytes) -> HostAnswer { .nothing }
  public mutating func handOver(_ connection: Int32) -> HandOver { .none }
  public mutating func takeBack() -> Bool { false }
  public mutating func endHandOver() {}
  public mutating func finish() {}
}

/// A host without a user: nothing can be shown or asked.
public struct SilentHost: ContextHost {
  /// Not empty: what has no size has no address either, and the thread sanitizer looks at the address of each host that changes.
  private var size: UInt8 = 0

  public init() {}
  public var canInteract: Bool { false }
  public mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {}
  public mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer { .impossible }
}
