/// When an item may be read at all. All of them are for this device only.
public enum Accessibility: UInt8, CaseIterable, Hashable, Sendable {
  /// While the user has an open session, or authenticates in this very request.
  case whenUnlocked = 1
  /// From the first passcode after boot until the key is erased.
  case afterFirstUnlock = 2
  /// As `whenUnlocked`; removed when the account has no passcode any more (`UserVault.removeItems`).
  case whenPasscodeSet = 3

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
