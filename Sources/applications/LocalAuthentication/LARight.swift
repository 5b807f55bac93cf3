/// Something that the owner has to allow, by what its requirement asks for, before the program does it.
///
/// It lasts as long as this object. Any thread may use it.
open class LARight: NSObject, @unchecked Sendable {
  public enum State: Int, Sendable {
    /// Nobody was asked yet.
    case unknown = 0
    case authorizing = 1
    case authorized = 2
    case notAuthorized = 3
  }

  let requirement: LAAuthenticationRequirement
  private let lock = ForkableLock()
  private var present = (state: State.unknown, tag: 0, context: LAContext())

  /// A right that finger or passcode allow.
  public override convenience init() { self.init(requirement: .default) }

  public init(requirement: LAAuthenticationRequirement) { self.requirement = requirement }

  /// How it stands.
  public var state: State { lock.withLock { present.state } }

  /// A number of the program's own.
  public var tag: Int {
    get { lock.withLock { present.tag } }
    set { lock.withLock { present.tag = newValue } }
  }

  /// Has what was proved.
  var context: LAContext { lock.withLock { present.context } }

  /// Asks the owner, unless they have allowed it before.
  ///
  /// - Parameters:
  ///   - localizedReason: what for, in the owner's words. An empty one ends the program, as on Apple's systems.
  ///   - handler: called once, on a thread of Signet's own, with `nil`, or with an `LAError`.
  @preconcurrency
  open func authorize(localizedReason: String, completion handler: @escaping @Sendable ((any Error)?) -> Void) {
    let (old, context) = lock.withLock {
      defer { if present.state != .authorized { present.state = .authorizing } }
      return (present.state, present.context)
    }
    switch old {
    case .authorized: answer(handler, nil)
    case .authorizing: answer(handler, LAError(.systemCancel))
    case .unknown, .notAuthorized:
      prove(localizedReason, in: context) { [self] error in
        lock.withLock {
          // Given up meanwhile.
          guard present.context === context else { return }
          present.state = error == nil ? .authorized : .notAuthorized
        }
        handler(error)
      }
    }
  }

  /// The same, for `await`.
  open func authorize(localizedReason: String) async throws {
    try await answered { authorize(localizedReason: localizedReason, completion: $0) }
  }

  /// Whether the owner could be asked now. Nothing is shown.
  @preconcurrency
  open func checkCanAuthorize(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
    OwnThread.run(
      { [requirement] in handler(LAContext().answer(for: requirement.policy)) }, orElse: { handler(LAError(.systemCancel)) })
  }

  /// The same, for `await`.
  open func checkCanAuthorize() async throws { try await answered { checkCanAuthorize(completion: $0) } }

  /// Takes back what the owner has allowed.
  @preconcurrency
  open func deauthorize(completion handler: @escaping @Sendable () -> Void) {
    takeBack()
    answer({ _ in handler() }, nil)
  }

  /// The same, for `await`.
  open func deauthorize() async { takeBack() }

  /// Asks for what the requirement says.
  func prove(_ reason: String, in context: LAContext, _ reply: @escaping @Sendable ((any Error)?) -> Void) {
    guard let control = requirement.accessControl else { return answer(reply, LAError(.notInteractive)) }
    context.evaluateAccessControl(control, operation: .useItem, localizedReason: reason) { isDone, error in
      reply(isDone ? nil : error ?? LAError(.authenticationFailed))
    }
  }

  func takeBack() {
    let old = lock.withLock {
      defer { (present.state, present.context) = (.notAuthorized, LAContext()) }
      return present.context
    }
    old.invalidate()
  }

  private func answer(_ handler: @escaping @Sendable ((any Error)?) -> Void, _ error: LAError?) {
    OwnThread.run({ handler(error) }, orElse: { handler(error) })
  }
}

/// Waits for what a completion handler is told.
private func answered(_ begin: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    begin { error in
      if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
  }
}

extension LAAuthenticationRequirement {
  var accessControl: SecAccessControl? {
    unsafe SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
  }
}
