import SignetMemory
import SignetSealing

/// A user's key: whatever the vault holds of theirs is wrapped under it. On disk only inside a `PasscodeSlot`.
public struct UserKey: ~Copyable, Sendable {
  private let key: SealingKey

  /// A new random one; `nil` where the kernel gives no random bytes or no memory.
  init?(random: Void) {
    guard let key = SealingKey(random: ()) else { return nil }
    self.key = key
  }

  /// Takes over the bytes of one that was kept elsewhere in memory; `nil` where they have another length.
  public init?(_ secret: consuming SecretBytes) {
    guard let key = SealingKey(secret) else { return nil }
    self.key = key
  }

  /// Bytes in a key.
  public static var length: Int { SealingKey.length }

  /// The key itself, to be kept in memory that nobody else reads.
  public var span: Span<UInt8> {
    @_lifetime(borrow self) get { key.secret.span }
  }

  /// The key that an item's own key is wrapped under where it opens without the current set of fingers.
  func plainWrappingKey(_ item: ItemDigest) -> SealingKey? {
    let material = item.bytes
    return key.derived("item", material.span)
  }

  /// The key that it is wrapped under where it needs that set.
  func setWrappingKey(_ set: borrowing FingerSet) -> SealingKey? { key.derived("item-set", set.identity.span) }
}
