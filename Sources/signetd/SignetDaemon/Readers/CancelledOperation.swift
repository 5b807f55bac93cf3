import DaemonService
import SignetVocabulary
import SignetWire

/// An operation with a finger that was cancelled, until the reader has ended it. It has the readers meanwhile, so that no other request
/// is served by a finger that was meant for this one.
///
/// Drivers take up to seconds to end. Whoever cancelled does not wait for that: there is a thread for it.
package final class CancelledOperation {
  package enum Ending: Sendable {
    /// The reader itself says that it judged nothing, and told of no finger at any moment of the operation.
    case undecided
    /// The same of a reader that tells of no finger.
    case unseen
    /// A finger may have decided something.
    case doubtful
  }

  /// How long an answer is worth waiting for, in milliseconds: most drivers need a few, and nobody notices.
  private static let quickEndTimeout: Int64 = 20
  /// How long the reader may take in all until it says what came of it, in milliseconds. It is replaced then.
  private static let limit: Int64 = 10_000
  /// How long it may take after that, in milliseconds: what it still does is of no use to anybody, and whoever comes next wants the
  /// reader. Drivers that end in an orderly way take less.
  static let endLimit: Int64 = 500
  /// More events than any reader has reason to send.
  private static let eventLimit = 1_024

  private let lease: ReaderLease
  private let operation: UInt32
  private let settle: (Ending) -> Void
  private var events = 0
  /// When signet-reader is replaced, on the boot clock.
  private var deadline = bootMilliseconds() + CancelledOperation.limit
  private var isSettled = false

  /// `settle` learns how it ended, once.
  init(_ operation: UInt32, lease: ReaderLease, settle: @escaping (Ending) -> Void) {
    self.lease = lease
    self.operation = operation
    self.settle = settle
  }

  /// Cancels it. `settle` is called before this returns where the reader answers at once, else later and from another thread.
  /// The readers are free after it, as soon as the reader has ended.
  func end() {
    guard (try? lease.send(.cancel(operation: operation))) != nil else { return replace() }
    if isOver(by: bootMilliseconds() + CancelledOperation.quickEndTimeout) { return }
    let isStarted = startThread { [self] in if !isOver(by: .max) { replace() } }
    if !isStarted { replace() }
  }

  /// Whether the readers are free again, at a time or at the deadline.
  private func isOver(by time: Int64) -> Bool {
    while true {
      let now = bootMilliseconds()
      guard now < min(time, deadline) else { return false }
      guard lease.isAlive, !lease.hasSlept, events < CancelledOperation.eventLimit else {
        replace()
        return true
      }
      // Nothing that could be waited for tells of a process that was stopped, nor of a sleep.
      do throws(ReaderTrouble) {
        guard let event = try lease.receiveWithin(Int32(clamping: min(time, deadline, now + 50) - now)) else { continue }
        events += 1
        if event.operation == operation, isOver(after: event) { return true }
      } catch {
        replace()
        return true
      }
    }
  }

  private func isOver(after event: ReaderEvent) -> Bool {
    switch event {
    case .failed(_, let failure, _) where failure.isCancel && !lease.sawFinger(in: operation):
      conclude(failure == .cancelled ? .undecided : .unseen)
      deadline = bootMilliseconds() + CancelledOperation.endLimit
      return false
    case .idle:
      conclude(lease.sawFinger(in: operation) ? .doubtful : .undecided)
      free()
      return true
    case .match, .miss, .poorScan, .failed:
      conclude(.doubtful)
      free()
      return true
    case .armed, .finger, .fingerOff, .enrollStage, .enrolled, .reader, .listed, .opened, .pruned, .examined: return false
    }
  }

  private func conclude(_ ending: Ending) {
    if isSettled { return }
    isSettled = true
    settle(ending)
  }

  private func free() {
    try? lease.send(.close(operation: lease.nextOperation()))
    lease.release()
  }

  /// The next user of the readers gets a new signet-reader.
  private func replace() {
    conclude(.doubtful)
    lease.giveUp()
    lease.release()
  }
}

extension ReaderFailure {
  fileprivate var isCancel: Bool { self == .cancelled || self == .cancelledUnseen }
}
