/// Whether a vault can be opened.
public enum VaultState: UInt8, CaseIterable, Sendable {
  /// There is none yet.
  case none = 0
  /// The passcode opens it.
  case closed = 1
  case open = 2
  /// The passcode was set without the old one, which is what opens it.
  case otherPasscode = 3
  /// The key is gone: nothing opens the items.
  case keyLost = 4
  /// A file is at fault.
  case unusable = 5
}
