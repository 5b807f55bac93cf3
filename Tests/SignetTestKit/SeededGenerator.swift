/// Numbers that look random and are the same each time (SplitMix64, by Steele, Lea and Flood).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The seed is mixed first: plain ones would give neighbours the same numbers, one step apart.
  public init(seed: UInt64, number: UInt64 = 0) {
    state = SeededGenerator.mix(SeededGenerator.mix(seed &+ 0x9E37_79B9_7F4A_7C15) ^ number)
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SeededGenerator.mix(state)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func within(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / 9_007_199_254_740_992
  }
}
