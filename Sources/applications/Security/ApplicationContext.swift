package import SignetContexts
import SignetCoreFoundation
import SignetVocabulary
package import SignetWire

/// One context of this program's in signetd, under an `LAContext` or for the keychain alone: one request at a time, asked for from
/// any thread. What was proved in it is signetd's to keep, and is gone with it. A forked child begins anew, without it.
package final class ApplicationContext: @unchecked Sendable {
  /// Held by the one request that is under way.
  private let turn = ForkableLock()
  private var connection: ContextConnection?
  private var owner = getpid()
  /// Guards what other threads use while a request is under way.
  private let lock = ForkableLock()
  private var interrupter: Interrupter?
  private var isEvaluating = false
  private var wasInvalidated = false

  package init() {}

  /// Makes a request, after those that are under way.
  package func request<Value: ~Copyable>(
    _ body: (inout ContextConnection) throws(ContextError) -> Value
  ) throws(ContextError) -> Value {
    defer { endInvalid() }
    return try turn.withLock { () throws(ContextError) in try inTurn(body) }
  }

  /// The same where nothing is under way; `nil` otherwise.
  package func requestAtOnce<Value>(
    _ body: (inout ContextConnection) throws(ContextError) -> Value
  ) throws(ContextError) -> Value? {
    defer { endInvalid() }
    return try turn.withLockAtOnce { () throws(ContextError) in try inTurn(body) }
  }

  private func inTurn<Value: ~Copyable>(
    _ body: (inout ContextConnection) throws(ContextError) -> Value
  ) throws(ContextError) -> Value {
    leaveParent()
    guard !isInvalid else { throw .invalidated }
    if connection == nil {
      let made = try ContextConnection(path: ProgramEnvironment.socket, name: Prompting.program)
      lock.withLock { interrupter = made.interrupter }
      connection = consume made
      // What was said meanwhile had nobody to hear it.
      guard !isInvalid else { throw .invalidated }
    }
    return try body(&connection!)
  }

  /// What the parent proved is not the child's, which has a connection and an interrupter of its own.
  private func leaveParent() {
    guard owner != getpid() else { return }
    owner = getpid()
    lock.withLock { (interrupter, isEvaluating) = (nil, false) }
    connection = nil
  }

  /// Has the owner prove that they are there. Blocks until then.
  ///
  /// - Parameter isWanted: asked once cancelling has an effect; false gives the evaluation up.
  package func evaluate(
    _ wanted: EvaluateRequest, _ host: inout OwnerPrompt, byPasscode: Bool, isWanted: () -> Bool
  ) throws(ContextError) -> EvaluatedReply {
    try request { (connection) throws(ContextError) in
      try connection.beginEvaluation(wanted, host)
      if byPasscode { host.askPasscodeFirst(connection.interrupter) }
      lock.withLock { isEvaluating = true }
      defer { lock.withLock { isEvaluating = false } }
      if !isWanted() { connection.interrupter.cancel(.app) }
      while true { if let reply = try connection.evaluated(try connection.next(&host)) { return reply } }
    }
  }

  /// Ends the evaluation that is under way, for the program; nothing where none is.
  package func cancel() {
    lock.withLock { if isEvaluating { interrupter?.cancel(.app) } }
  }

  /// Ends what is under way, and everything that was proved, for good.
  package func invalidate() {
    lock.withLock {
      wasInvalidated = true
      interrupter?.invalidate()
    }
    endInvalid()
  }

  /// Gives up the connection of a context that was invalidated. Where a request is under way, that does so when it is over.
  private func endInvalid() {
    guard isInvalid else { return }
    _ = turn.withLockAtOnce { connection?.invalidate() }
  }

  package var isInvalid: Bool { lock.withLock { wasInvalidated } }
}
