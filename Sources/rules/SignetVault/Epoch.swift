import SignetBytes
import SignetMemory

/// The numbers of a user's newest files, kept in a folder apart from the files.
///
/// A file with a lower number than here is an older copy that somebody put back. One with a higher number is what a crash left:
/// the file is written first, and the number here after it.
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
