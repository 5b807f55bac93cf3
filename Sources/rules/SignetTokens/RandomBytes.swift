import CLinux
import SignetBytes
import SignetMemory

/// What getrandom(2) gives. Up to 256 bytes come whole or not at all.
public enum RandomBytes {
  /// So many bytes, 1 to 256; `nil` where the kernel gives none, or no memory.
  public static func secret(_ count: Int) -> SecretBytes? {
    guard var secret = SecretBytes(capacity: count) else { return nil }
    let filled = unsafe secret.replace { unsafe getrandom($0.baseAddress!, count, 0) }
    guard filled == count else { return nil }
    return consume secret
  }

  /// The same as an array, for what is no secret by itself or is kept in a file.
  public static func array(_ count: Int) -> [UInt8]? {
    guard let secret = secret(count) else { return nil }
    return Array(copying: secret.span)
  }

  /// 64 bits.
  public static func number() -> UInt64? {
    var number: UInt64 = 0
    guard unsafe getrandom(&number, 8, 0) == 8 else { return nil }
    return number
  }
}
