import SignetBytes
import SignetMemory

/// What a user's files must not be older than, kept in a second place.
///
/// A file that is older than its number here was put back. One that is newer is what a crash left between the two writes.
struct Epoch: Equatable, Sendable {
  /// `ItemIndex.sequence`.
  var sequence: UInt64 = 0
  /// `FingerSet.generation`.
  var set: UInt64 = 0
  /// `PasscodeSlot.generation`.
  var slot: UInt64 = 0

  static let record = SealedRecord("SGep", limit: 128)

  func write(_ fields: inout SecretBytes) throws(FormatError) {
    for number in [sequence, set, slot] { try fields.put(number, size: 8) }
  }

  static func read(_ fields: inout ByteReader) throws(FormatError) -> Epoch {
    Epoch(sequence: try fields.uint64(), set: try fields.uint64(), slot: try fields.uint64())
  }
}
