// SignetVault keeps a user's secrets in files: what has to be proved to open one (`AccessControl`, `Accessibility`), under
// which keys each is encrypted, and how an older copy of a file is recognised. It uses no sockets, clocks or threads. FORMAT.md
// beside this file specifies every byte that it writes.

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
  /// Whether the proof is enough. `currentSet`: whether the enrolled fingers are still those from when the item was stored.
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

  /// Whether some proof opens the item although the enrolled fingers changed. Only then is its key also wrapped independently
  /// of them.
  var hasPlainWrap: Bool { isSatisfied(by: [.fingerprint, .passcode], currentSet: false) }
  /// Whether some proof only counts as long as the enrolled fingers have not changed.
  var hasSetWrap: Bool { constraints.contains(.biometryCurrentSet) }
}
