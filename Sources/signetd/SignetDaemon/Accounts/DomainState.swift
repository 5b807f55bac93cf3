import SignetBytes
import SignetSealing
import SignetVocabulary

extension AccountStore {
  /// What stands for these fingers of one user: `FieldLimit.domainState` bytes that change exactly when a finger is added, replaced or
  /// removed; empty where there is none, or no device key. A seal begins with bytes that no other has, so no template is opened for it.
  package func domainState(of fingers: [EnrolledFinger]) -> [UInt8] {
    guard let uid = fingers.first?.uid, let key = try? deviceKey() else { return [] }
    var material = Array(littleEndian: uid, size: 4)
    for finger in fingers.sorted(by: { ($0.finger.rawValue, $0.reader) < ($1.finger.rawValue, $1.reader) }) {
      // Each of the same length but for the reader, whose length is said.
      let reader = Array(finger.reader.utf8)
      material += [finger.finger.rawValue] + Array(littleEndian: reader.count, size: 2) + reader
      material += finger.sealed.prefix(SealingKey.overhead)
    }
    return (try? key.mark("domain state", material.span)) ?? []
  }
}
