import CLinux
import CSodium
import SignetMemory

/// A 256-bit key that seals and opens, by XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03), in libsodium.
///
/// The nonce is 192 random bits, so there is no counter that a crash, a restored backup or a cloned machine could set back.
public struct SealingKey: ~Copyable, Sendable {
  /// Bytes in a key.
  public static let length = Int(crypto_aead_xchacha20poly1305_IETF_KEYBYTES)
  private static let nonceLength = Int(crypto_aead_xchacha20poly1305_IETF_NPUBBYTES)
  private static let tagLength = Int(crypto_aead_xchacha20poly1305_IETF_ABYTES)
  /// How many bytes longer something becomes by being sealed.
  public static let overhead = nonceLength + tagLength

  /// Wipes the stack below the caller: libsodium copies parts of keys and secrets there, and does not wipe all of them itself.
  @inline(__always) public static func wipeScratch() { sodium_stackzero(8192) }

  /// The key itself.
  public let secret: SecretBytes

  /// `nil` where it does not have `length` bytes.
  public init?(_ secret: consuming SecretBytes) {
    guard secret.count == SealingKey.length else { return nil }
    self.secret = secret
  }

  /// A new random key; `nil` where the kernel gives no random bytes or no memory.
  public init?(random: Void) {
    guard var secret = SecretBytes(capacity: SealingKey.length) else { return nil }
    let count = unsafe secret.replace { unsafe getrandom($0.baseAddress!, SealingKey.length, 0) }
    guard count == SealingKey.length else { return nil }
    self.secret = secret
  }

  /// A copy of the key; `nil` where there is no memory.
  func copy() -> SecretBytes? {
    guard var copy = SecretBytes(capacity: SealingKey.length), copy.append(secret.span) else { return nil }
    return copy
  }

  /// Nonce, ciphertext and tag; `nil` where there is no randomness.
  public func seal(_ plain: Span<UInt8>, for context: SealContext) -> [UInt8]? {
    defer { SealingKey.wipeScratch() }
    var sealed = [UInt8](repeating: 0, count: plain.count + SealingKey.overhead)
    let isRandom = unsafe sealed.withUnsafeMutableBytes {
      unsafe getrandom($0.baseAddress!, SealingKey.nonceLength, 0) == SealingKey.nonceLength
    }
    guard isRandom else { return nil }
    let bound = context.associatedData
    let code = unsafe sealed.withUnsafeMutableBufferPointer { output in
      unsafe plain.withUnsafeBufferPointer { input in
        unsafe secret.span.withUnsafeBufferPointer { key in
          unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
            output.baseAddress! + SealingKey.nonceLength, nil, input.baseAddress, UInt64(input.count), bound,
            UInt64(bound.count), nil, output.baseAddress!, key.baseAddress!)
        }
      }
    }
    return code == 0 ? sealed : nil
  }

  /// What was sealed; `nil` where it was not sealed under this key for this context, or was altered, or there is no memory.
  public func open(_ sealed: Span<UInt8>, for context: SealContext) -> SecretBytes? {
    defer { SealingKey.wipeScratch() }
    let count = sealed.count - SealingKey.overhead
    // `SecretBytes` cannot have a capacity of 0, which an empty secret would ask for.
    guard count >= 0, var plain = SecretBytes(capacity: max(count, 1)) else { return nil }
    let bound = context.associatedData
    let written = unsafe plain.replace { output in
      let code = unsafe sealed.withUnsafeBufferPointer { input in
        unsafe secret.span.withUnsafeBufferPointer { key in
          unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            output.baseAddress!.assumingMemoryBound(to: UInt8.self), nil, nil, input.baseAddress! + SealingKey.nonceLength,
            UInt64(input.count - SealingKey.nonceLength), bound, UInt64(bound.count), input.baseAddress!, key.baseAddress!)
        }
      }
      return code == 0 ? count : -1
    }
    guard written == count else { return nil }
    return plain
  }

  /// A key made from this one, `label` and `material`, by keyed BLAKE2b (RFC 7693). From it nobody can compute this key, or
  /// another key made from this one. `nil` where there is no memory.
  public func derived(_ label: StaticString, _ material: Span<UInt8>) -> SealingKey? {
    defer { SealingKey.wipeScratch() }
    guard var secret = SecretBytes(capacity: SealingKey.length) else { return nil }
    let letters = label.withUTF8Buffer { unsafe Array($0) }
    // The material may be secret, so the message is put together in one buffer, without growing it, and wiped.
    var message: [UInt8] = []
    message.reserveCapacity(1 + letters.count + material.count)
    message.append(UInt8(truncatingIfNeeded: letters.count))
    message.append(contentsOf: letters)
    for index in material.indices { message.append(material[index]) }
    defer { unsafe message.withUnsafeMutableBytes { unsafe explicit_bzero($0.baseAddress!, $0.count) } }
    let count = unsafe secret.replace { output in
      let code = unsafe self.secret.span.withUnsafeBufferPointer { key in
        unsafe crypto_generichash(
          output.baseAddress!.assumingMemoryBound(to: UInt8.self), SealingKey.length, message, UInt64(message.count),
          key.baseAddress!, key.count)
      }
      return code == 0 ? SealingKey.length : -1
    }
    guard count == SealingKey.length else { return nil }
    return SealingKey(secret)
  }
}
