import SignetContexts
import SignetVocabulary
import SignetWire

/// The largest value of `touchIDAuthenticationAllowableReuseDuration` that has an effect, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// Asks for the owner's finger or passcode.
///
/// A context may be used from any thread. What it has proved holds for five minutes at most, and ends with the context, with
/// `invalidate()`, when the owner's fingers change and when they are locked out.
open class LAContext: NSObject, @unchecked Sendable {
  package let application = ApplicationContext()
  private let lock = ForkableLock()
  private var settings = ContextSettings()
  private var running: (evaluation: PendingEvaluation, process: pid_t)?

  public override init() { super.init() }

  /// What the program set and was told; that of an invalidated context is as at the beginning.
  func read<Value>(_ field: KeyPath<ContextSettings, Value>) -> Value {
    lock.withLock { (application.isInvalid ? ContextSettings() : settings)[keyPath: field] }
  }

  func write<Value>(_ field: WritableKeyPath<ContextSettings, Value>, _ value: Value) {
    lock.withLock { settings[keyPath: field] = value }
  }

  // MARK: Properties

  /// What the owner is told where a call says no reason of its own.
  open var localizedReason: String {
    get { read(\.reason) }
    set { write(\.reason, newValue) }
  }

  /// What the button for the passcode is called: `nil` for the usual text; empty, and there is none.
  open var localizedFallbackTitle: String? {
    get { read(\.fallbackTitle) }
    set { write(\.fallbackTitle, newValue) }
  }

  /// What the button to cancel is called: `nil` or empty for the usual text.
  open var localizedCancelTitle: String? {
    get { read(\.cancelTitle) }
    set { write(\.cancelTitle, newValue) }
  }

  /// Whether the owner must not be asked: what has to be asked then fails with `LAError.notInteractive`.
  open var interactionNotAllowed: Bool {
    get { read(\.interactionNotAllowed) }
    set { write(\.interactionNotAllowed, newValue) }
  }

  /// For how many seconds after an unlock of the machine by finger no other is asked for; 0: always. No more than
  /// `LATouchIDAuthenticationMaximumAllowableReuseDuration` has an effect.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { read(\.reuseDuration) }
    set { write(\.reuseDuration, newValue) }
  }

  /// Without effect, as on Apple's systems since iOS 9.
  open var maxBiometryFailures: NSNumber? {
    get { read(\.maxBiometryFailures) }
    set { write(\.maxBiometryFailures, newValue) }
  }

  /// The biometry that there is: known once `canEvaluatePolicy` was called, whatever it answered.
  open var biometryType: LABiometryType { read(\.biometryType) }

  /// Changes exactly when a finger is added or removed. `nil` until a policy with biometry could be, or was, evaluated.
  open var evaluatedPolicyDomainState: Data? { read(\.domainState) }

  // MARK: Evaluating

  /// Whether the policy can be evaluated now. Nothing is shown.
  ///
  /// - Parameter error: where to put the reason why not, an `LAError`.
  @discardableResult
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    let reason = answer(for: policy)
    unsafe error?.pointee = reason?._nsError
    return reason == nil
  }

  /// Has the owner prove that they are there, by finger or passcode.
  ///
  /// The context lives at least until the reply.
  ///
  /// - Parameters:
  ///   - localizedReason: what the program wants it for, shown to the owner. An empty one ends the program, as on Apple's systems.
  ///   - reply: called once, on a thread of Signet's own, with `true`, or with `false` and an `LAError`.
  @preconcurrency
  open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    checkReason(localizedReason)
    evaluate(.policy(policy), localizedReason, reply)
  }

  /// The same, for `await`: `true`, or an `LAError`. A task that is cancelled gives the evaluation up: `LAError.appCancel`.
  @discardableResult
  open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await replied { evaluatePolicy(policy, localizedReason: localizedReason, reply: $0) }
  }

  /// Has the owner prove what an access control asks for, so that what it guards needs no other proof in this context.
  ///
  /// - Parameter operation: what is wanted; those with keys fail with `LAError.notInteractive`, for there are no keys here.
  @preconcurrency
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    checkReason(localizedReason)
    evaluate(RequiredProof(accessControl, operation), localizedReason, reply)
  }

  /// The same, for `await`.
  @discardableResult
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
  ) async throws -> Bool {
    try await replied {
      evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason, reply: $0)
    }
  }

  /// Ends the context for good: an evaluation under way fails with `LAError.appCancel`, later ones with `LAError.invalidContext`.
  open func invalidate() {
    let wasConfirmed = read(\.wasConfirmed)
    application.invalidate()
    if wasConfirmed { Confirmations.tell(false) }
  }

  // MARK: Credentials

  /// Brings a password of the program's own; `nil` takes it back. No item here can ask for one, so that it is not kept, but only
  /// that there was one.
  ///
  /// - Returns: false of an invalidated context, and for a smart card.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard type == .applicationPassword, !application.isInvalid else { return false }
    write(\.hasCredential, credential != nil)
    return true
  }

  open func isCredentialSet(_ type: LACredentialType) -> Bool { type == .applicationPassword && read(\.hasCredential) }

  private func checkReason(_ reason: String) {
    // On Apple's systems an exception that Swift cannot catch.
    if reason.isEmpty { fatalError("Non-empty localizedReason must be provided.") }
  }
}

extension LAContext {
  private func evaluate(
    _ proof: RequiredProof, _ reason: String, _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let evaluation = PendingEvaluation(reply)
    TaskCancellation.current?.evaluation = evaluation
    guard lock.withLock({ begin(evaluation) }) else {
      return OwnThread.run({ evaluation.end(LAError(.systemCancel)) }, orElse: { evaluation.end(LAError(.systemCancel)) })
    }
    // The thread has the context: of an evaluation that is under way it is not taken away.
    OwnThread.run(
      { self.end(evaluation, self.outcome(of: proof, reason, evaluation)) },
      orElse: { self.end(evaluation, LAError(ContextError.noMemory)) })
  }

  private func end(_ evaluation: PendingEvaluation, _ error: LAError?) {
    lock.withLock { running = nil }
    evaluation.end(error)
  }

  /// One at a time: another prompt over the first one would be the owner's to sort out.
  private func begin(_ evaluation: PendingEvaluation) -> Bool {
    // Of the parent's a forked child hears no more.
    guard running?.process != getpid() else { return false }
    running = (evaluation, getpid())
    evaluation.onCancel { [application] in application.cancel() }
    return true
  }

  private func replied(
    _ evaluate: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async throws -> Bool {
    let cancellation = TaskCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        TaskCancellation.$current.withValue(cancellation) {
          evaluate { isDone, error in
            if isDone {
              continuation.resume(returning: true)
            } else {
              continuation.resume(throwing: error ?? LAError(.authenticationFailed))
            }
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
