import CLinux
import CSignet

/// Memory that a program is given: locked, left out of core dumps, and wiped when `signet_free` frees it. In front of what the
/// program sees stands how much it is.
enum Buffer {
  private static var front: Int { 64 }

  /// A copy of the bytes with a zero byte behind them; `nil` where there is no memory.
  static func make(_ bytes: Span<UInt8>) -> UnsafeMutableRawPointer? {
    let capacity = front &+ bytes.count &+ 1
    guard var memory = SecretBytes(capacity: capacity) else { return nil }
    do throws(FormatError) {
      try memory.put(UInt64(truncatingIfNeeded: capacity), size: 8)
      while memory.count < front { try memory.put(0) }
      try memory.put(raw: bytes)
      try memory.put(0)
    } catch { return nil }
    return unsafe memory.release() + front
  }

  static func free(_ pointer: UnsafeMutableRawPointer) {
    let base = unsafe pointer - front
    let capacity = unsafe base.load(as: Int.self)
    _ = unsafe SecretBytes(adopting: base, capacity: capacity, count: capacity)
  }
}

@c(signet_free)
public func freeBuffer(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer = unsafe pointer { unsafe Buffer.free(pointer) }
}
