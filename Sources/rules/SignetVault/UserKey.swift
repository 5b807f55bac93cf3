import SignetMemory
import SignetSealing

/// A user's key. The keys of all of the user's items are wrapped under it. On disk it is only found wrapped, in `PasscodeSlot`.
public struct UserKey: ~Copyable, Sendable {
  private let key: SealingKey

  /// A new random key; `nil` where the kernel gives no random bytes or no memory.
  init?(random: Void) {
    guard let key = SealingKey(random: ()) else { return nil }
    self.key = key
  }

  /// Takes over the bytes of a key that was kept elsewhere in memory; `nil` where the length is wrong.
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

  /// The key that wraps an item's own key where the item may open although the enrolled fingers changed.
  func plainWrappingKey(_ item: ItemDigest) -> SealingKey? {
    let material = item.bytes
    return key.derived("item", material.span)
  }

  /// The key that wraps an item's own key where the item only opens with this set of fingers.
  func setWrappingKey(_ set: borrowing FingerSet) -> SealingKey? { key.derived("item-set", set.identity.span) }
}
