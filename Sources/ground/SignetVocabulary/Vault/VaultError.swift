/// Why the vault did not do it: the file at fault, where one is, and what else there is to know. The sentence, with the way
/// out, is SignetWords' `VaultText`.
public indirect enum VaultError: Error, Hashable, Sendable {
  /// The user has no vault yet.
  case noKey
  case keyExists(String)
  case wrongPasscode
  /// The user key is not in memory, or nobody is at the machine.
  case locked
  /// The item asks for a proof that this request does not bring.
  case proofMissing
  /// The enrolled fingers changed since the item was stored.
  case setChanged(String)
  case notFound
  case duplicate
  /// No more items fit.
  case full
  /// A name, a text or a value is empty or too long.
  case badItem
  case emptyPasscode
  /// A file is torn, altered, or another's.
  case damaged(String)
  /// A file is longer than it can be.
  case oversized(SystemError)
  case missing(String)
  /// An older copy of a file.
  case putBack(String)
  /// An item's file that was deleted and put back, or is none of the vault's.
  case unknown(String)
  /// The uid had another name.
  case otherOwner(String, uid: UInt32, owner: String)
  /// An item was stored under a user key that is gone.
  case otherKey(String)
  /// A system call failed; the old state is there.
  case system(SystemError)
  /// It failed after the change was made; the next change puts the rest right.
  case unfinished(VaultError)
  /// Somebody else changes the vault at this moment.
  case busy(SystemError)
  /// No memory or no randomness.
  case exhausted

  /// The file at fault, where one is.
  public var path: String? {
    switch self {
    case .keyExists(let path), .setChanged(let path), .damaged(let path), .missing(let path), .putBack(let path),
      .unknown(let path), .otherOwner(let path, _, _), .otherKey(let path):
      path
    case .noKey, .wrongPasscode, .locked, .proofMissing, .notFound, .duplicate, .full, .badItem, .emptyPasscode, .oversized,
      .system, .unfinished, .busy, .exhausted:
      nil
    }
  }

  /// What kind of reason it is.
  public var cause: VaultCause {
    switch self {
    case .noKey: .noKey
    case .keyExists: .keyExists
    case .wrongPasscode: .wrongPasscode
    case .locked: .locked
    case .proofMissing: .proofMissing
    case .setChanged: .setChanged
    case .notFound: .notFound
    case .duplicate: .duplicate
    case .full: .full
    case .badItem, .emptyPasscode: .badItem
    case .damaged, .oversized: .damaged
    case .missing: .missing
    case .putBack, .unknown: .putBack
    case .otherOwner: .otherOwner
    case .otherKey: .otherKey
    case .system: .system
    case .unfinished: .unfinished
    case .busy: .busy
    case .exhausted: .exhausted
    }
  }
}
