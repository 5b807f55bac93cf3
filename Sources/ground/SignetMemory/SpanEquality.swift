extension Span<UInt8> {
  /// Whether both hold the same bytes. The time it takes tells where they differ, so do not compare a guess with a secret.
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
