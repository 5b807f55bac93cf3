import SignetBytes
import Testing

@Suite struct ConstantTimeTests {
  private func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool { isSameInConstantTime(one.span, other.span) }

  @Test func `bytes are the same as themselves, and not as more or fewer`() {
    let bytes: [UInt8] = [1, 2, 3]
    #expect(isSame(bytes, bytes) && isSame([], []))
    #expect(!isSame(bytes, [1, 2]) && !isSame(bytes, [1, 2, 3, 0]) && !isSame(bytes, []))
  }

  @Test func `one bit makes a difference wherever it is, and no later byte makes up for it`() {
    for index in 0..<4 {
      for bit in 0..<8 {
        var other: [UInt8] = [1, 2, 3, 4]
        other[index] ^= 1 << bit
        #expect(!isSame([1, 2, 3, 4], other))
        for last in UInt8.min...UInt8.max where index < 3 {
          other[3] = last
          #expect(!isSame([1, 2, 3, 4], other))
        }
      }
    }
  }
}
