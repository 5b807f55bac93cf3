import SignetVocabulary
import SignetWire

/// The finger on the reader, as far as the reader tells of it. A value without I/O; times are milliseconds on the boot clock.
///
/// It answers two questions. Did a cancelled scan see a finger, so that its strike stays? And may a finger that was put there
/// for one user still lie there when the reader is armed for another?
package struct FingerTrace: Equatable, Sendable {
  /// How long another user waits where the reader does not tell that the finger was lifted: longer than people leave a finger
  /// on a reader that has answered, and shorter than they take to walk away from it.
  package static let pause: Int64 = 2_000

  /// Who has the readers, who had them before, and which operation is the first of the present one's.
  private var user: UInt32?
  private var previous: UInt32?
  private var first: UInt32 = 0
  /// Whose scan saw the finger last, until it was seen to be lifted.
  private var owner: UInt32?
  private var seenAt: Int64 = 0
  /// The newest operation that saw a finger, and the newest that saw it lifted.
  private var seenIn: UInt32?
  private var liftedIn: UInt32?

  package init() {}

  /// A user gets the readers, for operations from this number on.
  package mutating func begin(for uid: UInt32, from operation: UInt32) {
    (previous, user, first) = (user, uid, operation)
  }

  /// The user lets go of the readers: a finger that was not seen to be lifted may lie there from now on.
  package mutating func end(at now: Int64) { if owner == user { seenAt = now } }

  /// Something that the reader said.
  package mutating func note(_ event: ReaderEvent, at now: Int64) {
    switch event {
    case .finger(let operation):
      liftedIn = nil
      see(in: operation, at: now)
    case .fingerOff(let operation):
      liftedIn = operation
      owner = nil
    case .match(let operation, _), .miss(let operation), .poorScan(let operation, _), .enrollStage(let operation, _),
      .enrolled(let operation, _):
      // A swipe is over before it is judged.
      if liftedIn == operation { seenIn = operation } else { see(in: operation, at: now) }
    case .armed, .reader, .listed, .opened, .pruned, .idle, .failed, .examined: break
    }
  }

  private mutating func see(in operation: UInt32, at now: Int64) {
    seenIn = operation
    // What is said late is of a finger that was meant for the one before.
    owner = operation >= first ? user : previous
    seenAt = now
  }

  /// Whether a finger was seen in this operation, at any moment of it.
  package func wasSeen(in operation: UInt32) -> Bool { seenIn == operation }

  /// Until when the reader is not to be armed for a user; `nil` where it may be.
  package func pauses(_ uid: UInt32, at now: Int64) -> Int64? {
    guard let owner, owner != uid, now < seenAt + FingerTrace.pause else { return nil }
    return seenAt + FingerTrace.pause
  }
}
