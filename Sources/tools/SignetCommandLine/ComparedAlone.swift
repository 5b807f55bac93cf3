import SignetVocabulary
import SignetWire
import SignetWords

/// What there is to say of readers that compare with one finger at a time, where a user has several on them.
enum ComparedAlone {
  /// Says a line for each such reader. Nothing where signetd does not say what its readers can do: it is no part of what was asked for.
  static func tell(_ fingers: [FingerRow], at socket: String) {
    let several = Dictionary(grouping: fingers, by: \.reader).filter { $0.value.count > 1 }
    guard !several.isEmpty, let readers = try? Listing<ReaderDescription>.readers(at: socket).rows else { return }
    for reader in readers where !reader.canIdentify {
      guard let first = several[reader.identifier]?.first(where: \.isFirst)?.finger else { continue }
      Report.complain(DoneText.comparedAlone(on: reader.identifier, first: first))
    }
  }

  /// The same after a finger was added.
  static func tell(of user: String, at socket: String) {
    if let fingers = try? Listing<FingerRow>.fingers(of: user, at: socket) { tell(fingers.rows, at: socket) }
  }
}
