import SignetContexts
import SignetCoreFoundation
import SignetVocabulary
import SignetWire

/// One context of this program's in signetd, under an `LAContext` or for the keychain alone: one request at a time, asked for from
/// any thread. What was proved in it is signetd's to keep, and is gone with it.
package final class ApplicationContext: @unchecked Sendable {
  /// Held by the one request that is under way.
  private let turn = NSLock()
  private var connection: ContextConnection?
  /// Guards what other threads use while a request is under way.
  private let lock = NSLock()
  private var interrupter: Interrupter?
  private var wasInvalidated = false

  package init() {}

  /// Makes a request, after those that are under way.
  package func request<Value: ~Copyable>(
    _ body: (inout ContextConnection) throws(ContextError) -> Value
  ) throws(ContextError) -> Value {
    turn.lock()
    defer { turn.unlock() }
    return try inTurn(body)
  }

  /// The same where nothing is under way; `nil` otherwise.
  package func requestAtOnce<Value>(
    _ body: (inout ContextConnection) throws(ContextError) -> Value
  ) throws(ContextError) -> Value? {
    guard turn.try() else { return nil }
    defer { turn.unlock() }
    return try inTurn(body)
  }

  private func inTurn<Value: ~Copyable>(
    _ body: (inout ContextConnection) throws(ContextError) -> Value
  ) throws(ContextError) -> Value {
    guard !isInvalid else { throw .invalidated }
    if connection == nil {
      let made = try ContextConnection(path: Surroundings.socket, name: Prompting.program)
      lock.lock()
      interrupter = made.interrupter
      lock.unlock()
      connection = consume made
    }
    return try body(&connection!)
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
      // In a forked child it is another one.
      lock.lock()
      interrupter = connection.interrupter
      lock.unlock()
      if !isWanted() { connection.interrupter.cancel(.app) }
      while true { if let reply = try connection.evaluated(try connection.next(&host)) { return reply } }
    }
  }

  /// Ends the request that is under way, for the program; nothing where none is.
  package func cancel() {
    lock.lock()
    defer { lock.unlock() }
    interrupter?.cancel(.app)
  }

  /// Ends what is under way, and everything that was proved, for good.
  package func invalidate() {
    lock.lock()
    wasInvalidated = true
    interrupter?.invalidate()
    lock.unlock()
    // Where a request is under way it does this itself.
    guard turn.try() else { return }
    connection?.invalidate()
    turn.unlock()
  }

  package var isInvalid: Bool {
    lock.lock()
    defer { lock.unlock() }
    return wasInvalidated
  }
}

/// Contexts for calls of the keychain that bring none: each call has one of its own, and what is proved in it serves no other
/// call. Their connections are kept for the next calls.
package enum PrivateContexts {
  private static let lock = NSLock()
  private nonisolated(unsafe) static var idle: [ApplicationContext] = []
  /// More than there are processors would only hold places in signetd.
  private static let limit = 2

  /// Lends one to `body`, which says whether the owner was asked for anything.
  package static func use<Value>(_ body: (ApplicationContext) -> (Value, wasAsked: Bool)) -> Value {
    lock.lock()
    let context = unsafe idle.popLast() ?? ApplicationContext()
    lock.unlock()
    let (value, wasAsked) = body(context)
    if wasAsked {
      do throws(ContextError) { try context.request { (connection) throws(ContextError) in try connection.forget() } } catch {
        return value
      }
    }
    lock.lock()
    if unsafe idle.count < limit { unsafe idle.append(context) }
    lock.unlock()
    return value
  }
}
