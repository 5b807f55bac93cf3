import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// The identity of the enrolled fingers: random bytes that are replaced whenever a finger is enrolled or deleted. An item whose
/// key is wrapped with the old identity can then never be opened again.
public struct FingerSet: ~Copyable, Sendable {
  /// Counts the sets of this user.
  public let generation: UInt64
  let identity: SecretBytes
  /// What made the sets before it useless, the latest last: so that an item that was lost can say when and why.
  let changes: [Change]

  /// A change, and the set that came of it.
  struct Change: Hashable, Sendable {
    var generation: UInt64
    var change: FingerChange
  }

  static let identityLength = 32
  /// As many as anybody remembers; of what was lost before these it is only known that it is.
  static let mostChanges = 32

  /// A new identity; `nil` where the kernel gives no random bytes or no memory.
  init?(generation: UInt64, changes: [Change] = []) {
    guard let key = SealingKey(random: ()), var identity = SecretBytes(capacity: FingerSet.identityLength),
      identity.append(key.secret.span)
    else { return nil }
    self.init(generation: generation, identity: identity, changes: changes)
  }

  private init(generation: UInt64, identity: consuming SecretBytes, changes: [Change]) {
    self.generation = generation
    self.identity = identity
    self.changes = changes
  }

  static let record = SealedRecord("SGfs", limit: 1024)

  borrowing func write(_ fields: inout SecretBytes) throws(FormatError) {
    try fields.put(generation, size: 8)
    try fields.put(raw: identity.span)
    for made in changes {
      try fields.put(made.generation, size: 8)
      try fields.put(made.change.time, size: 8)
      try fields.put(made.change.cause.rawValue)
      try fields.put(made.change.finger?.rawValue ?? 0)
    }
  }

  static func read(_ fields: inout ByteReader) throws(FormatError) -> FingerSet {
    let generation = try fields.uint64()
    guard generation > 0, var identity = SecretBytes(capacity: identityLength),
      identity.append(try fields.bytes(identityLength))
    else { throw .badValue }
    var changes: [Change] = []
    while !fields.isAtEnd {
      let made = try change(&fields)
      guard changes.count < mostChanges, made.generation > changes.last?.generation ?? 0, made.generation <= generation else {
        throw .badValue
      }
      changes.append(made)
    }
    return FingerSet(generation: generation, identity: identity, changes: changes)
  }

  private static func change(_ fields: inout ByteReader) throws(FormatError) -> Change {
    let (generation, time) = (try fields.uint64(), try fields.uint64())
    guard let cause = FingerChange.Cause(rawValue: try fields.byte()) else { throw .badValue }
    let number = try fields.byte()
    let finger = Finger(rawValue: number)
    guard finger != nil || number == 0 else { throw .badValue }
    return Change(generation: generation, change: FingerChange(cause, finger, time: time))
  }

  /// What may be kept of it in memory: nothing of its identity.
  struct Summary: Sendable {
    let generation: UInt64
    let changes: [Change]

    /// What made the set of a generation useless; `nil` where that is not known.
    func change(after generation: UInt64) -> FingerChange? { changes.first { $0.generation == generation &+ 1 }?.change }
  }

  borrowing func summary() -> Summary { Summary(generation: generation, changes: changes) }
}
