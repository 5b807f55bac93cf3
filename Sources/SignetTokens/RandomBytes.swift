import CLinux
import SignetBytes
import SignetMemory
import SignetVocabulary

/// What getrandom(2) gives. Up to 256 bytes come whole or not at all.
enum RandomBytes {
  static func secret(_ count: Int) -> SecretBytes? {
    guard var secret = SecretBytes(capacity: count) else { return nil }
    let filled = unsafe secret.replace { unsafe getrandom($0.baseAddress!, count, 0) }
    guard filled == count else { return nil }
    return consume secret
  }

  static func number() -> UInt64? {
    var number: UInt64 = 0
    guard unsafe getrandom(&number, 8, 0) == 8 else { return nil }
    return number
  }
}

/// What tells one access token from all others: 128 random bits.
public func randomTokenIdentifier() -> String? {
  guard let high = RandomBytes.number(), let low = RandomBytes.number() else { return nil }
  return Base64URL.text(Array(littleEndian: high, size: 8) + Array(littleEndian: low, size: 8))
}

/// 256 random bits; `nil` where the kernel gives none.
public func random256() -> [UInt8]? {
  guard let secret = RandomBytes.secret(FieldLimit.token) else { return nil }
  return Array(copying: secret.span)
}

/// What a new chain of refresh tokens is called.
public func randomChainNumber() -> UInt64? { RandomBytes.number() }
