/// When an item may be read at all. All of them are for this device only.
public enum Accessibility: UInt8, CaseIterable, Hashable, Sendable {
  /// While the user has an open session, or authenticates in this very request.
  case whenUnlocked = 1
  /// From the first passcode after boot until the key is erased.
  case afterFirstUnlock = 2
  /// As `whenUnlocked`; removed when the account has no passcode any more.
  case whenPasscodeSet = 3
}
