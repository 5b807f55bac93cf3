// SignetDigest has the one hash function by which damaged state files, and tokens, are recognised.
import CSodium

/// SHA-256 (FIPS 180-4), by libsodium.
public enum SHA256 {
  /// Bytes in a digest.
  public static let length = Int(crypto_hash_sha256_BYTES)

  /// The digest of `bytes`. Cannot fail; safe from any thread.
  public static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: length)
    unsafe bytes.withUnsafeBufferPointer { input in
      // An empty span may have no address; libsodium reads nothing then. The function always returns 0.
      _ = unsafe crypto_hash_sha256(&digest, input.baseAddress, UInt64(input.count))
    }
    return digest
  }

  /// The digest of bytes that come in parts.
  public struct Parts: ~Copyable {
    private var state = crypto_hash_sha256_state()

    public init() { _ = unsafe crypto_hash_sha256_init(&state) }

    public mutating func add(_ bytes: Span<UInt8>) {
      unsafe bytes.withUnsafeBufferPointer { input in
        _ = unsafe crypto_hash_sha256_update(&state, input.baseAddress, UInt64(input.count))
      }
    }

    /// Of all parts that came. Nothing may be added afterwards.
    public mutating func digest() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: SHA256.length)
      _ = unsafe crypto_hash_sha256_final(&state, &digest)
      return digest
    }
  }
}
