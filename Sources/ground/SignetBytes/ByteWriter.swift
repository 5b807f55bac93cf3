#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// Writing: each call appends one field and throws `tooLong` where it does not fit, which leaves an unfinished packet that
/// must not be sent. The buffer is a `SecretBytes` because any packet may carry a passcode or a token.
extension SecretBytes {
  public mutating func put(_ byte: UInt8) throws(FormatError) {
    guard append(byte) else { throw .tooLong }
  }

  /// The low `size` bytes (1 to 8) of a number, little-endian.
  public mutating func put(_ value: UInt64, size: Int) throws(FormatError) {
    var rest = value
    var index = 0
    while index < size {
      try put(UInt8(truncatingIfNeeded: rest))
      rest = rest &>> 8
      index &+= 1
    }
  }

  /// Bytes as they are, without a length.
  public mutating func put(raw bytes: borrowing Span<UInt8>) throws(FormatError) {
    guard append(bytes) else { throw .tooLong }
  }

  /// A byte string: its length in two bytes, then its bytes; `tooLong` above `limit`.
  public mutating func put(_ bytes: borrowing Span<UInt8>, limit: Int) throws(FormatError) {
    guard bytes.count <= limit, bytes.count <= 65535 else { throw .tooLong }
    try put(UInt64(truncatingIfNeeded: bytes.count), size: 2)
    try put(raw: bytes)
  }
}
