import SignetBytes
import SignetMemory
import SignetSealing

/// The identity of the enrolled fingers: random bytes that are replaced whenever a finger is enrolled or deleted. An item whose
/// key is wrapped with the old identity can then never be opened again.
public struct FingerSet: ~Copyable, Sendable {
  /// Counts the sets of this user.
  public let generation: UInt64
  let identity: SecretBytes

  static let identityLength = 32

  /// A new identity; `nil` where the kernel gives no random bytes or no memory.
  init?(generation: UInt64) {
    guard let key = SealingKey(random: ()), var identity = SecretBytes(capacity: FingerSet.identityLength),
      identity.append(key.secret.span)
    else { return nil }
    self.init(generation: generation, identity: identity)
  }

  private init(generation: UInt64, identity: consuming SecretBytes) {
    self.generation = generation
    self.identity = identity
  }

  static let record = SealedRecord("SGfs", limit: 128)

  borrowing func write(_ fields: inout SecretBytes) throws(FormatError) {
    try fields.put(generation, size: 8)
    try fields.put(raw: identity.span)
  }

  static func read(_ fields: inout ByteReader) throws(FormatError) -> FingerSet {
    let generation = try fields.uint64()
    guard generation > 0, var identity = SecretBytes(capacity: identityLength),
      identity.append(try fields.bytes(identityLength))
    else { throw .badValue }
    return FingerSet(generation: generation, identity: identity)
  }
}
