import SignetMemory

/// A device key in memory, however it came there.
public final class HeldKey: DeviceKey {
  /// Bytes of the key.
  public static let length = SealingKey.length
  private let key: SealingKey

  public init(_ key: consuming SealingKey) { self.key = key }

  /// `nil` where it has not the length of a key.
  public convenience init?(_ secret: consuming SecretBytes) {
    guard let key = SealingKey(secret) else { return nil }
    self.init(key)
  }

  /// A copy of the key itself, for what wraps or keeps it; `nil` where there is no memory.
  public var copy: SecretBytes? { key.copy() }

  /// By which the key is known again; it tells nothing of the key.
  public var mark: [UInt8] {
    let nothing: [UInt8] = []
    return (try? mark("device key", nothing.span)) ?? []
  }

  public func seal(_ plain: Span<UInt8>, for context: SealContext) throws(SealingError) -> [UInt8] {
    guard let sealed = key.seal(plain, for: context) else { throw .exhausted }
    return sealed
  }

  public func open(_ sealed: Span<UInt8>, for context: SealContext) throws(SealingError) -> SecretBytes {
    guard let plain = key.open(sealed, for: context) else { throw .notAuthentic }
    return plain
  }

  public func mark(_ label: StaticString, _ material: Span<UInt8>) throws(SealingError) -> [UInt8] {
    guard let mark = key.derived(label, material) else { throw .exhausted }
    return Array(copying: mark.secret.span)
  }
}
