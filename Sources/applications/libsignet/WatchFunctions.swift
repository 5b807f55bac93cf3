import CLinux
import CSignet

/// What a `signet_watch` points to.
final class Watch {
  var interrupter: Interrupter
  var watch: StateWatch
  var events: EventSet

  init() throws(ContextError) {
    watch = try StateWatch(path: ProgramEnvironment.socket)
    interrupter = watch.interrupter
    guard let events = EventSet() else { throw .noMemory }
    self.events = consume events
    wait()
  }

  static func at(_ pointer: OpaquePointer) -> Watch {
    unsafe Unmanaged<Watch>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  func wait() { events.watch(interrupter.descriptor, watch.descriptor, -1, -1, for: watch.pollTimeout) }

  /// The next change, where there is one within so many milliseconds; -1 for as long as it takes.
  func step(within limit: Int32) throws(Failure) -> BiometryReport? {
    defer {
      interrupter = watch.interrupter
      wait()
    }
    do throws(ContextError) {
      guard limit == 0 else { return try watch.next() }
      // Connecting is a step, and what then has come is one.
      for _ in 0..<8 { if let report = try watch.step(within: 0) { return report } }
      return nil
    } catch { throw .pending(error) }
  }
}

// What each function is for: signet.h.

@c(signet_watch_create)
public func createWatch(_ error: ErrorPointer?) -> OpaquePointer? {
  var made: Watch?
  let isMade = unsafe succeeds(error) { () throws(Failure) in
    do throws(ContextError) { made = try Watch() } catch { throw .system(ENOMEM, detail: error.explanation) }
  }
  guard isMade, let made else { return nil }
  return unsafe OpaquePointer(Unmanaged.passRetained(made).toOpaque())
}

@c(signet_watch_descriptor)
public func watchDescriptor(_ pointer: OpaquePointer) -> Int32 { unsafe Watch.at(pointer).events.descriptor }

@c(signet_watch_step)
public func stepWatch(_ pointer: OpaquePointer, _ state: UnsafeMutablePointer<signet_state>, _ error: ErrorPointer?) -> Int32 {
  let watch = unsafe Watch.at(pointer)
  var result: Int32 = 0
  let isGoingOn = unsafe succeeds(error) { () throws(Failure) in
    guard let report = try watch.step(within: 0) else { return }
    unsafe state.pointee = signet_state(report)
    result = 1
  }
  return isGoingOn ? result : -1
}

@c(signet_watch_next)
public func nextOfWatch(_ pointer: OpaquePointer, _ state: UnsafeMutablePointer<signet_state>, _ error: ErrorPointer?) -> Bool {
  let watch = unsafe Watch.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    if let report = try watch.step(within: -1) { unsafe state.pointee = signet_state(report) }
  }
}

@c(signet_watch_cancel)
public func cancelWatch(_ pointer: OpaquePointer) { unsafe Watch.at(pointer).interrupter.cancel(.app) }

@c(signet_watch_free)
public func freeWatch(_ pointer: OpaquePointer?) {
  guard let pointer = unsafe pointer else { return }
  unsafe Unmanaged<Watch>.fromOpaque(UnsafeRawPointer(pointer)).release()
}

extension signet_state {
  fileprivate init(_ report: BiometryReport) {
    self.init()
    state = Int32(report.state.rawValue)
    lock = Int32(report.lock.rawValue)
    error = AuthenticationError(report.verdict)?.rawValue ?? 0
    has_domain_state = report.domainState.count == FieldLimit.domainState
    guard has_domain_state else { return }
    unsafe withUnsafeMutableBytes(of: &domain_state) { bytes in
      for index in report.domainState.indices where index < bytes.count { unsafe bytes[index] = report.domainState[index] }
    }
  }
}
