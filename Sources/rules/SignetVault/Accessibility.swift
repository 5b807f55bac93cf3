import SignetVocabulary

extension Accessibility {
  /// Whether an item of this class may be read now.
  public func isAccessible(_ state: KeyState, proof: Proof) -> Bool {
    guard state.isHeld else { return false }
    switch self {
    case .afterFirstUnlock: return true
    case .whenUnlocked, .whenPasscodeSet: return state == .unlocked || !proof.isEmpty
    }
  }
}

/// Where the user key is.
public enum KeyState: CaseIterable, Hashable, Sendable {
  /// Nowhere: no passcode since the machine started.
  case beforeFirstUnlock
  /// Erased: five strikes, a requested lock, the end of the last session.
  case locked
  /// In memory; the user has no open session.
  case afterFirstUnlock
  /// In memory, and the user has an open session.
  case unlocked

  /// Whether the user key is in memory.
  public var isHeld: Bool { self == .afterFirstUnlock || self == .unlocked }
}
