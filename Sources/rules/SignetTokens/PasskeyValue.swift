import CCrypto
import SignetMemory

/// What the vault keeps of a passkey: a secret, and behind it what any key has. The two are made, kept and deleted as one.
///
/// From the secret others are derived (hmac-secret, CTAP 2.1, section 12.5), and it is never told. CTAP has a second one for whoever was not
/// verified, which Signet answers nothing and so does not need.
public struct PasskeyValue: ~Copyable {
  /// Bytes of the secret, of a salt, and of what is derived from one.
  public static let secretLength = Int(CCRYPTO_SHA256)

  /// The whole.
  public let bytes: SecretBytes

  /// A new secret for a key; `nil` where there are no random bytes or no memory.
  public init?(newFor key: borrowing SecretBytes) {
    guard let secret = RandomBytes.secret(PasskeyValue.secretLength),
      var bytes = SecretBytes(capacity: secret.count + key.count), bytes.append(secret.span), bytes.append(key.span)
    else { return nil }
    self.bytes = bytes
  }

  /// One that was kept; `nil` where it is shorter than any.
  public init?(kept bytes: consuming SecretBytes) {
    guard bytes.count > PasskeyValue.secretLength else { return nil }
    self.bytes = bytes
  }

  /// What any key has; `nil` where there is no memory.
  public var key: SecretBytes? {
    let rest = bytes.span.extracting(droppingFirst: PasskeyValue.secretLength)
    guard var key = SecretBytes(capacity: rest.count), key.append(rest) else { return nil }
    return key
  }

  /// HMAC-SHA-256 (RFC 2104) of each salt by the secret, one after another; `nil` where these are no salts, or there is no memory or no
  /// libcrypto.
  public func derived(from salts: [UInt8]) -> SecretBytes? {
    let length = PasskeyValue.secretLength
    guard !salts.isEmpty, salts.count % length == 0, var derived = SecretBytes(capacity: salts.count) else { return nil }
    let written = unsafe derived.replace { output in
      unsafe bytes.span.withUnsafeBufferPointer { secret in
        unsafe salts.withUnsafeBufferPointer { salts in
          let output = unsafe output.baseAddress!.assumingMemoryBound(to: UInt8.self)
          for start in stride(from: 0, to: salts.count, by: length) {
            // All three pointers have `length` bytes from here on.
            let code = unsafe ccrypto_hmac(secret.baseAddress!, salts.baseAddress! + start, length, output + start)
            guard code == CCRYPTO_OK else { return -1 }
          }
          return salts.count
        }
      }
    }
    guard written == salts.count else { return nil }
    return consume derived
  }
}
