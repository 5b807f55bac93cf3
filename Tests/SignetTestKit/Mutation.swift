/// The bytes with one to three small changes: a bit, a byte less or more, an end cut off, a part twice.
public func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...3, using: &random) {
    let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where !bytes.isEmpty: bytes.remove(at: place)
    case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: min(place, bytes.count))
    case 3: bytes = Array(bytes.prefix(place))
    default: bytes.insert(contentsOf: bytes.suffix(from: min(place, bytes.count)).prefix(40), at: min(place, bytes.count))
    }
  }
  return bytes
}
