import DaemonService
import SignetWire

/// An operation with a finger that was cancelled, until the reader has said how it ended. It has the readers meanwhile, so
/// that no other request is served by a finger that was meant for this one.
///
/// Drivers take up to seconds to end. Whoever cancelled does not wait for that: there is a thread for it.
package final class CancelledOperation {
  package enum Ending: Sendable {
    /// The reader itself says that it judged nothing, and told of no finger at any moment of the operation.
    case undecided
    /// A finger may have decided something.
    case doubtful
  }

  /// How long an answer is worth waiting for, in milliseconds: most drivers need a few, and nobody notices.
  private static let quickEndTimeout: Int64 = 20
  /// How long the reader may take in all, in milliseconds. It is replaced then.
  private static let limit: Int64 = 10_000
  /// More events than any reader has reason to send.
  private static let eventLimit = 1_024

  private let lease: ReaderLease
  private let operation: UInt32
  private var events = 0
  private var isAbandoned = false

  init(_ operation: UInt32, lease: ReaderLease) {
    self.lease = lease
    self.operation = operation
  }

  /// Cancels it. `settle` learns how it ended, once: before this returns where the reader says so at once, else later and from
  /// another thread. The readers are free after it.
  func end(_ settle: @escaping (Ending) -> Void) {
    guard (try? lease.send(.cancel(operation: operation))) != nil else { return conclude(.doubtful, settle) }
    let begin = bootMilliseconds()
    if let ending = ending(by: begin + CancelledOperation.quickEndTimeout) { return conclude(ending, settle) }
    let isStarted = startThread { [self] in
      conclude(ending(by: begin + CancelledOperation.limit) ?? abandoned(), settle)
    }
    if !isStarted { conclude(abandoned(), settle) }
  }

  private func conclude(_ ending: Ending, _ settle: (Ending) -> Void) {
    settle(ending)
    if !isAbandoned { try? lease.send(.close(operation: lease.nextOperation())) }
    lease.release()
  }

  private func abandoned() -> Ending {
    isAbandoned = true
    lease.giveUp()
    return .doubtful
  }

  /// `nil` where the reader has not ended it in time.
  private func ending(by deadline: Int64) -> Ending? {
    repeat {
      guard lease.isAlive, !lease.hasSlept, events < CancelledOperation.eventLimit else { return abandoned() }
      // Nothing that could be waited for tells of a process that was stopped, nor of a sleep.
      let rest = max(0, deadline - bootMilliseconds())
      do throws(ReaderTrouble) {
        guard let event = try lease.receiveWithin(Int32(clamping: min(rest, 50))) else { continue }
        events += 1
        if event.operation == operation, let ending = ending(after: event) { return ending }
      } catch {
        return .doubtful
      }
    } while bootMilliseconds() < deadline
    return nil
  }

  private func ending(after event: ReaderEvent) -> Ending? {
    switch event {
    case .failed(_, .cancelled, _), .idle: lease.sawFinger(in: operation) ? .doubtful : .undecided
    case .match, .miss, .poorScan, .failed: .doubtful
    case .armed, .finger, .fingerOff, .enrollStage, .enrolled, .reader, .listed, .opened, .pruned, .examined: nil
    }
  }
}
