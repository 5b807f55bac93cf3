/// Whether both are the same bytes, in a time that tells how many they are and not where they differ: for what a stranger may try again.
public func isSameInConstantTime(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
  guard one.count == other.count else { return false }
  var difference: UInt8 = 0
  // `|=`, because in Swift `|` does not bind less tightly than `^`.
  for index in one.indices { difference |= one[index] ^ other[index] }
  return difference == 0
}
