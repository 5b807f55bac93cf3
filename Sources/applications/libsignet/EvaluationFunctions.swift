import CLinux
import CSignet

// Evaluations. What each function is for: signet.h.

@c(signet_can_evaluate_policy)
public func canEvaluatePolicy(_ pointer: OpaquePointer, _ policy: Int32, _ error: ErrorPointer?) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    let policy = try known(policy)
    do throws(ContextError) {
      try context.alone { () throws(ContextError) in context.policy = try context.connection.canEvaluate(policy) }
    } catch { throw .evaluation(error) }
    if let error = AuthenticationError(context.policy.verdict) {
      throw .authentication(error, detail: context.policy.verdict.explanation)
    }
  }
}

@c(signet_biometry_type)
public func biometryType(_ pointer: OpaquePointer) -> Int32 { Int32(unsafe Context.at(pointer).policy.biometry.rawValue) }

@c(signet_domain_state)
public func domainState(_ pointer: OpaquePointer, _ state: UnsafeMutablePointer<UInt8>) -> Bool {
  let known = unsafe Context.at(pointer).policy.domainState
  guard known.count == FieldLimit.domainState else { return false }
  for index in known.indices { unsafe state[index] = known[index] }
  return true
}

@c(signet_method)
public func method(_ pointer: OpaquePointer) -> Int32 { Int32(unsafe Context.at(pointer).method.rawValue) }

@c(signet_evaluate_policy)
public func evaluatePolicy(
  _ pointer: OpaquePointer, _ policy: Int32, _ reason: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> Bool {
  unsafe evaluates(pointer, policy, reason, error) { (context, policy, reason) throws(Failure) in
    try context.begin(policy, reason)
    var reply: EvaluatedReply?
    while reply == nil { reply = try context.advance(within: -1) }
    if let reply { try context.accept(reply) }
  }
}

@c(signet_evaluation_begin)
public func beginEvaluation(
  _ pointer: OpaquePointer, _ policy: Int32, _ reason: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> Bool {
  unsafe evaluates(pointer, policy, reason, error) { (context, policy, reason) throws(Failure) in
    guard let events = EventSet() else { throw .system(clinux_errno(), detail: "No descriptor for the evaluation.") }
    try context.begin(policy, reason)
    context.events = consume events
    context.isEvaluating = true
    context.watch()
  }
}

@c(signet_evaluation_descriptor)
public func evaluationDescriptor(_ pointer: OpaquePointer) -> Int32 {
  let context = unsafe Context.at(pointer)
  guard context.isEvaluating else { return -1 }
  return context.events?.descriptor ?? -1
}

@c(signet_evaluation_step)
public func stepEvaluation(_ pointer: OpaquePointer, _ error: ErrorPointer?) -> Int32 {
  let context = unsafe Context.at(pointer)
  var result = Int32(SIGNET_STEP_PENDING)
  let isGoingOn = unsafe succeeds(error) { () throws(Failure) in
    context.leaveParent()
    guard context.lock.take() else { throw .evaluation(.inUse) }
    defer { context.lock.release() }
    guard context.isEvaluating else { throw .system(EINVAL, detail: "No evaluation was begun.") }
    do throws(Failure) {
      if let reply = try context.advanceFar() {
        context.endEvaluation()
        try context.accept(reply)
        result = Int32(SIGNET_STEP_SUCCEEDED)
      } else {
        context.watch()
      }
    } catch {
      context.endEvaluation()
      throw error
    }
  }
  return isGoingOn ? result : Int32(SIGNET_STEP_FAILED)
}

/// Runs what an evaluation begins with, where no other is under way in the context.
private func evaluates(
  _ pointer: OpaquePointer, _ policy: Int32, _ reason: UnsafePointer<CChar>?, _ error: ErrorPointer?,
  _ body: (Context, Policy, String) throws(Failure) -> Void
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    let policy = try known(policy)
    let reason = try unsafe given(reason)
    context.leaveParent()
    guard context.lock.take() else { throw .evaluation(.inUse) }
    defer { context.lock.release() }
    guard !context.isEvaluating else { throw .evaluation(.inUse) }
    try body(context, policy, reason)
  }
}

private func known(_ policy: Int32) throws(Failure) -> Policy {
  switch policy {
  case Int32(Policy.deviceOwnerAuthenticationWithBiometrics.rawValue): return .deviceOwnerAuthenticationWithBiometrics
  case Int32(Policy.deviceOwnerAuthentication.rawValue): return .deviceOwnerAuthentication
  default: throw .system(EINVAL, detail: "There is no such policy.")
  }
}

/// A reason, which an evaluation must have: the user is to know what for.
private func given(_ reason: UnsafePointer<CChar>?) throws(Failure) -> String {
  let reason = try unsafe text(reason)
  guard !reason.utf8.isEmpty else { throw .system(EINVAL, detail: "Non-empty reason must be provided.") }
  return reason
}

extension Context {
  fileprivate func begin(_ policy: Policy, _ reason: String) throws(Failure) {
    prepare(reason)
    do throws(ContextError) { try connection.beginEvaluation(request(policy), host) } catch { throw .evaluation(error) }
  }

  fileprivate func advance(within limit: Int32) throws(Failure) -> EvaluatedReply? {
    do throws(ContextError) {
      return try connection.evaluated(try connection.step(&host, within: limit))
    } catch { throw .pending(error) }
  }

  /// All that there is to do now, but no more than a few steps: a signetd that talks without end must not hold the main loop.
  fileprivate func advanceFar() throws(Failure) -> EvaluatedReply? {
    for _ in 0..<8 { if let reply = try advance(within: 0) { return reply } }
    return nil
  }

  fileprivate func accept(_ reply: EvaluatedReply) throws(Failure) {
    guard reply.verdict == .success else {
      throw .authentication(AuthenticationError(reply.verdict) ?? .authenticationFailed, detail: reply.verdict.explanation)
    }
    method = reply.method
  }

  fileprivate func watch() {
    let pause = connection.pause()
    let signals = connection.heedsSignals ? host.signals : -1
    events?.watch(interrupter.descriptor, connection.descriptor, host.keys, signals, for: pause)
  }

  /// Ends what `begin` began; signetd is told where it was not over.
  func endEvaluation() {
    guard isEvaluating else { return }
    isEvaluating = false
    events = nil
    connection.giveUp(&host)
  }
}
