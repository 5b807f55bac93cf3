import SignetBytes
import SignetMemory
import SignetVocabulary

// Which finger matched last, `users/<uid>/matched`: where a reader compares with one at a time, it is the first to be asked for. It decides
// nothing else: whoever alters the file alters which finger a prompt names.
extension AccountStore {
  private static let matchedLimit = 64

  /// `nil` where none did, or the file cannot be used.
  package func matchedFinger(of uid: UInt32) -> Finger? {
    guard let bytes = try? folder(of: uid)?.read("matched", limit: Self.matchedLimit) else { return nil }
    return try? Record.decode(.matched, uid: uid, bytes) { fields, _ throws(FormatError) in
      guard let finger = Finger(rawValue: try fields.byte()) else { throw .badValue }
      return finger
    }
  }

  /// Nothing is written where it is the same as before, which it nearly always is.
  package func keepMatched(_ finger: Finger, of uid: UInt32) throws(SystemError) {
    guard let folder = try folder(of: uid), matchedFinger(of: uid) != finger else { return }
    let bytes = try orTooLong { () throws(FormatError) in
      try Record.encode(.matched, uid: uid, limit: Self.matchedLimit) { packet throws(FormatError) in
        try packet.put(finger.rawValue)
      }
    }
    try folder.replace("matched", with: bytes)
  }
}

extension EnrolledFinger {
  /// Fingers in the order in which they are listed, and asked for: by their names. Not by the time, which has seconds only.
  package static func inTurn(_ fingers: [EnrolledFinger]) -> [Finger] {
    Set(fingers.map(\.finger)).sorted { $0.name < $1.name }
  }
}
