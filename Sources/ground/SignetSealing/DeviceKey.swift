import SignetMemory

/// The key of this machine: what it seals can be opened here and nowhere else. Today it is kept in a file (`HostKeyFile`);
/// another way to keep it would have these calls as well. Safe from any thread.
public protocol DeviceKey: Sendable {
  /// Seals bytes for a context.
  func seal(_ plain: Span<UInt8>, for context: SealContext) throws(SealingError) -> [UInt8]
  /// Opens what was sealed for that context.
  func open(_ sealed: Span<UInt8>, for context: SealContext) throws(SealingError) -> SecretBytes
  /// 32 bytes that stand for `material`, and tell nothing of it or of the key; with another label, or on another machine, they are
  /// others. For equality, and never to seal with.
  func mark(_ label: StaticString, _ material: Span<UInt8>) throws(SealingError) -> [UInt8]
}

/// Why nothing was sealed or opened.
public enum SealingError: Error, Equatable, Sendable {
  /// The kernel gives no randomness or no memory.
  case exhausted
  /// What was to be opened was altered, or was sealed on another machine, for another user or for another purpose.
  case notAuthentic
}
