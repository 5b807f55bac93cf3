import CLinux

/// Interrupts what a context waits for: from any thread, and from a signal handler.
///
/// It is an eventfd(2), in whose one counter each kind of interruption has bits of its own. The owner of the context makes it
/// and closes it: nobody may use it afterwards.
public struct Interrupter: Sendable {
  /// For poll(2): readable once something was asked for.
  public let descriptor: Int32
  private let owner: pid_t

  /// What was asked for since it was last looked at.
  struct Interruptions {
    fileprivate let counter: UInt64

    /// Who gave up; the user before the program, as whoever is at the machine decides.
    var cancel: CancelReason? {
      counter & 0xFFF != 0 ? .user : counter &>> 12 & 0xFFF != 0 ? .app : counter &>> 24 & 0xFFF != 0 ? .system : nil
    }
    var answers: Bool { counter &>> 36 & 0xFFF != 0 }
    /// More than the bits before it can carry: whatever overflows ends the context rather than being lost.
    var invalidates: Bool { counter &>> 48 != 0 }
  }

  /// `nil` where the process has no descriptor left.
  init?() {
    descriptor = eventfd(0, Interrupter.flags)
    owner = getpid()
    guard descriptor >= 0 else { return nil }
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    owner = getpid()
  }

  private static var flags: Int32 { Int32(truncatingIfNeeded: EFD_CLOEXEC | EFD_NONBLOCK) }

  /// Ends the request that is under way; nothing where none is.
  public func cancel(_ reason: CancelReason) {
    switch reason {
    case .user: add(1)
    case .app: add(1 &<< 12)
    case .system: add(1 &<< 24)
    }
  }

  /// Has the host looked at: the program has an answer for it.
  public func tellOfAnswer() { add(1 &<< 36) }

  /// Ends the context for good.
  public func invalidate() { add(1 &<< 48) }

  private func add(_ amount: UInt64) {
    // In a forked child it is still the parent's.
    guard getpid() == owner else { return }
    var amount = amount
    let saved = clinux_errno()
    _ = unsafe write(descriptor, &amount, MemoryLayout<UInt64>.size)
    clinux_set_errno(saved)
  }

  func pending() -> Interruptions {
    var counter: UInt64 = 0
    let count = unsafe read(descriptor, &counter, MemoryLayout<UInt64>.size)
    return Interruptions(counter: count == MemoryLayout<UInt64>.size ? counter : 0)
  }

  /// One of a forked child's own, under the same number: whoever knows the number goes on using it.
  func inChild() -> Interrupter {
    let own = eventfd(0, Interrupter.flags)
    guard own >= 0 else { return Interrupter(descriptor) }
    _ = clinux_replace_descriptor(own, descriptor)
    _ = CLinux.close(own)
    return Interrupter(descriptor)
  }

  func close() { _ = CLinux.close(descriptor) }
}
