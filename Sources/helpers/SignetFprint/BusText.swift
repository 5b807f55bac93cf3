#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// A literal, lent to C for good.
struct BusText: @unchecked Sendable {
  let pointer: UnsafePointer<CChar>

  init(_ text: StaticString) { pointer = UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) }
}

/// A text, lent to C until the next one.
final class BusTextBuffer {
  private var bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 256)

  func fill(_ text: String) -> UnsafeMutablePointer<CChar> {
    var count = 0
    for byte in text.utf8.prefix(bytes.count - 1) where byte != 0 {
      bytes[count] = CChar(bitPattern: byte)
      count += 1
    }
    bytes[count] = 0
    return bytes.baseAddress!
  }
}
