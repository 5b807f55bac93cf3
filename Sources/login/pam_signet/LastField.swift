import CLinux

extension SecretBytes {
  /// Gives the last `length` bytes of a packet, its last field, as a C string: where they are, so that no copy has to be
  /// wiped. nil where there is a zero byte among them, which would hide the rest.
  mutating func withLastField<Result>(_ length: Int, _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    let start = count &- length
    guard length >= 0, start >= 0, append(0) else { return nil }
    return unsafe span.withUnsafeBytes { bytes -> Result? in
      guard let base = bytes.baseAddress else { return nil }
      let text = unsafe (base + start).assumingMemoryBound(to: CChar.self)
      guard unsafe strnlen(text, length) == length else { return nil }
      return unsafe body(text)
    }
  }
}
