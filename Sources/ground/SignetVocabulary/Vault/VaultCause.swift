/// Why the vault did not do it. The numbers are in histories on disk and never change.
public enum VaultCause: UInt8, CaseIterable, Sendable {
  /// The user has no vault yet.
  case noKey = 1
  case keyExists = 2
  case wrongPasscode = 3
  /// The user key is not in memory, or nobody is at the machine.
  case locked = 4
  /// The item asks for a proof that this request does not bring.
  case proofMissing = 5
  /// The enrolled fingers changed since the item was stored.
  case setChanged = 6
  case notFound = 7
  case duplicate = 8
  /// No more items fit.
  case full = 9
  /// A name, a text or a value is empty or too long.
  case badItem = 10
  /// A file is torn, altered, or another's.
  case damaged = 11
  /// A file is gone.
  case missing = 12
  /// A file is an older copy, or was deleted by its owner.
  case putBack = 13
  /// The uid belonged to somebody else.
  case otherOwner = 14
  /// An item was stored under a user key that is gone.
  case otherKey = 15
  /// A system call failed; the old state is there.
  case system = 16
  /// A system call failed after the change was made; the next change puts the rest right.
  case unfinished = 17
  /// Somebody else changes the vault at this moment.
  case busy = 18
  /// No memory or no randomness.
  case exhausted = 19
}
