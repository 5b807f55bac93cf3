import CLinux
import CSignet

// Making, setting and ending a context. What each function is for: signet.h.

@c(signet_version)
public func version() -> UnsafePointer<CChar> { unsafe c(Version.text) }

@c(signet_context_create)
public func createContext(_ name: UnsafePointer<CChar>?, _ error: ErrorPointer?) -> OpaquePointer? {
  var made: Context?
  let isMade = unsafe succeeds(error) { () throws(Failure) in
    let name = try unsafe text(name)
    do throws(ContextError) { made = try Context(name: name) } catch { throw .system(ENOMEM, detail: error.explanation) }
  }
  guard isMade, let made else { return nil }
  return unsafe OpaquePointer(Unmanaged.passRetained(made).toOpaque())
}

@c(signet_context_free)
public func freeContext(_ pointer: OpaquePointer?) {
  guard let pointer = unsafe pointer else { return }
  let context = unsafe Context.at(pointer)
  context.leaveParent()
  context.endEvaluation()
  unsafe Unmanaged<Context>.fromOpaque(UnsafeRawPointer(pointer)).release()
}

@c(signet_context_set_prompter)
public func setPrompter(
  _ pointer: OpaquePointer, _ prompter: UnsafePointer<signet_prompter>?, _ data: UnsafeMutableRawPointer?
) {
  let context = unsafe Context.at(pointer)
  context.leaveParent()
  guard context.lock.wait() else { return }
  defer { context.lock.release() }
  context.settings.prompter = nil
  unsafe context.settings.data = data
  guard let prompter = unsafe prompter else { return }
  // A program that was built with an older header knows fewer callbacks, one of a newer header more.
  var known = signet_prompter()
  unsafe memcpy(&known, prompter, min(Int(truncatingIfNeeded: prompter.pointee.size), MemoryLayout<signet_prompter>.size))
  context.settings.prompter = known
}

@c(signet_context_set_fallback_title)
public func setFallbackTitle(_ pointer: OpaquePointer, _ title: UnsafePointer<CChar>?) {
  let title = unsafe title.map { unsafe String(cString: $0) }
  unsafe set(pointer) { settings in settings.fallbackTitle = title }
}

@c(signet_context_set_cancel_title)
public func setCancelTitle(_ pointer: OpaquePointer, _ title: UnsafePointer<CChar>?) {
  let title = unsafe title.map { unsafe String(cString: $0) }
  unsafe set(pointer) { settings in settings.cancelTitle = title }
}

@c(signet_context_set_reuse_duration)
public func setReuseDuration(_ pointer: OpaquePointer, _ seconds: UInt32) {
  unsafe set(pointer) { settings in
    settings.reuse = UInt16(truncatingIfNeeded: min(seconds, UInt32(EvaluateRequest.longestReuse)))
  }
}

@c(signet_context_set_interaction_allowed)
public func setInteractionAllowed(_ pointer: OpaquePointer, _ isAllowed: Bool) {
  unsafe set(pointer) { settings in settings.mayInteract = isAllowed }
}

@c(signet_context_set_timeout)
public func setTimeout(_ pointer: OpaquePointer, _ seconds: UInt32) {
  unsafe set(pointer) { settings in settings.timeout = UInt16(truncatingIfNeeded: max(1, min(seconds, 3_600))) }
}

private func set(_ pointer: OpaquePointer, _ change: (inout Context.Settings) -> Void) {
  let context = unsafe Context.at(pointer)
  context.leaveParent()
  guard context.lock.wait() else { return }
  defer { context.lock.release() }
  change(&context.settings)
}

/// Also for signal handlers: nothing is allocated, locked or waited for.
@c(signet_cancel)
public func cancel(_ pointer: OpaquePointer, _ reason: Int32) {
  let interrupter = unsafe Context.at(pointer).interrupter
  switch reason {
  case AuthenticationError.userCancel.rawValue: interrupter.cancel(.user)
  case AuthenticationError.systemCancel.rawValue: interrupter.cancel(.system)
  default: interrupter.cancel(.app)
  }
}

@c(signet_invalidate)
public func invalidate(_ pointer: OpaquePointer) {
  let context = unsafe Context.at(pointer)
  context.leaveParent()
  context.interrupter.invalidate()
  // Whoever waits in the context sees it; where nobody does, what was proved ends here and now.
  guard context.lock.take() else { return }
  defer { context.lock.release() }
  if !context.isEvaluating { context.connection.invalidate() }
}

@c(signet_forget)
public func forget(_ pointer: OpaquePointer, _ error: ErrorPointer?) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    do throws(ContextError) {
      try context.alone { () throws(ContextError) in try context.connection.forget() }
    } catch { throw .evaluation(error) }
  }
}

@c(signet_answer_passcode)
public func answerPasscode(_ pointer: OpaquePointer, _ passcode: UnsafeRawPointer?, _ length: Int) -> Bool {
  let context = unsafe Context.at(pointer)
  guard length >= 0, unsafe passcode != nil || length == 0 else { return false }
  let bytes = unsafe UnsafeRawBufferPointer(start: passcode, count: length)
  guard unsafe context.replies.put(bytes.bindMemory(to: UInt8.self).span) else { return false }
  context.interrupter.tellOfAnswer()
  return true
}

@c(signet_decline)
public func decline(_ pointer: OpaquePointer) { unsafe Context.at(pointer).interrupter.cancel(.user) }

@c(signet_fall_back)
public func fallBack(_ pointer: OpaquePointer) {
  let context = unsafe Context.at(pointer)
  context.replies.fallBack()
  context.interrupter.tellOfAnswer()
}
