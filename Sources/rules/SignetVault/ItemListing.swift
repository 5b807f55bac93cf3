import SignetVocabulary

/// What is known of an item without opening it.
public struct ItemDescription: Hashable, Sendable {
  public var item: Item
  /// Seconds since 1970, the `now` of `add`.
  public var created: UInt64
  /// Seconds since 1970, the `now` of the last `update`.
  public var modified: UInt64
  /// False where the item is bound to the enrolled fingers and these changed since it was stored, so that no finger opens it.
  public var isOfCurrentSet: Bool
  /// The change of these; `nil` where it is not known.
  public var change: FingerChange? = nil
  public var programs = ItemPrograms()
  /// Whether it is a key that the TPM has: then the value is what the TPM is given to sign with it.
  public var isInTPM = false
}

/// An item that was looked up but not opened: its file, still sealed, as it was at that moment.
public struct LocatedItem: Sendable {
  let file: ItemFile
  let epoch: Epoch
  /// What has to be proved to read it.
  public let description: ItemDescription
}

/// A user's items, and what is wrong with their files.
public struct ItemListing: Equatable, Sendable {
  public var items: [ItemDescription] = []
  public var problems: [VaultError] = []
  /// What is wrong with the two files without which no item opens: `key` and `set`.
  public var keyProblems: [VaultError] = []
}
