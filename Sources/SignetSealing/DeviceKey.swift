import SignetMemory

/// The key of this machine: what it seals opens here and nowhere else. A file today (`HostKeyFile`); any other keeper of a key
/// has these two calls. Safe from any thread.
public protocol DeviceKey: Sendable {
  /// Seals a text for a context.
  func seal(_ plain: Span<UInt8>, for context: SealContext) throws(SealingError) -> [UInt8]
  /// Opens what was sealed for that context.
  func open(_ sealed: Span<UInt8>, for context: SealContext) throws(SealingError) -> SecretBytes
}

/// Why nothing was sealed or opened.
public enum SealingError: Error, Equatable, Sendable {
  /// The kernel gives no randomness or no memory.
  case exhausted
  /// The text was altered, or was sealed by another machine, for somebody else or for something else.
  case notAuthentic
}
