// SignetVault keeps a user's secrets on disk: who may open one (`AccessControl`, `Accessibility`), under which keys it lies,
// and how an older copy of a file is known. Files only: no sockets, no clocks, no threads. FORMAT.md beside this file is the
// specification of every byte that it writes.

import SignetVocabulary

/// What one authentication proved about the user.
public struct Proof: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An enrolled finger matched.
  public static let fingerprint = Proof(rawValue: 1)
  /// The passcode was right.
  public static let passcode = Proof(rawValue: 2)
}

extension AccessControl {
  /// Whether the proof is enough. `currentSet`: whether the enrolled fingers are still those of the time of storing.
  public func isSatisfied(by proof: Proof, currentSet: Bool) -> Bool {
    guard !constraints.isEmpty else { return true }
    var met: Constraints = []
    if proof.contains(.fingerprint) { met.insert(.biometryAny) }
    if proof.contains(.fingerprint), currentSet { met.insert(.biometryCurrentSet) }
    if !proof.isDisjoint(with: [.fingerprint, .passcode]) { met.insert(.userPresence) }
    if proof.contains(.passcode) { met.insert(.devicePasscode) }
    switch connective {
    case .and: return constraints.isSubset(of: met)
    case .or: return !constraints.isDisjoint(with: met)
    }
  }

  /// Whether some way in does without the current set: only then is the item's key wrapped so that it opens without it.
  var hasPlainWrap: Bool { isSatisfied(by: [.fingerprint, .passcode], currentSet: false) }
  /// Whether some way in needs the current set.
  var hasSetWrap: Bool { constraints.contains(.biometryCurrentSet) }
}
