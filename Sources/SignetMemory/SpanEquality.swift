extension Span<UInt8> {
  /// Whether both hold the same bytes. How long it takes tells where they differ: for texts that the caller knows both of.
  public func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var index = 0
    while index < count {
      guard self[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }
}
