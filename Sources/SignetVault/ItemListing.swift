import SignetVocabulary

/// What is known of an item without opening it.
public struct ItemDescription: Hashable, Sendable {
  public var item: Item
  /// Seconds since 1970, as `add` was told.
  public var created: UInt64
  /// Seconds since 1970, as the last `update` was told.
  public var modified: UInt64
  /// Whether a finger still opens what only a finger of that set opens; false where the fingers changed since.
  public var isOfCurrentSet: Bool
}

/// An item that was found and not opened: its file as it was then, sealed.
public struct LocatedItem: Sendable {
  let file: ItemFile
  let epoch: Epoch
  /// What has to be proved to read it.
  public let description: ItemDescription
}

/// A user's items, and each file that is at fault.
public struct ItemListing: Equatable, Sendable {
  public var items: [ItemDescription] = []
  public var problems: [VaultError] = []
  /// What is at fault with the files that they open with: the key's and the set's.
  public var keyProblems: [VaultError] = []
}
