import SignetTestKit
import Testing

/// libfprint's own minutiae detection and matching on drawn fingers.
@Suite struct SyntheticPrintsTests {
  @Test func `impressions of one finger match and other fingers do not`() throws {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments)
    try channel.open(reader)
    let template = try channel.enroll(SyntheticFinger(seed: 1), on: reader)
    try channel.load([template])
    for impression in 10..<14 {
      let verdict = try channel.identify(SyntheticFinger(seed: 1).impression(impression), on: reader, operation: 20)
      #expect(verdict == .match(operation: 20, index: 0), "impression \(impression)")
    }
    for seed: UInt64 in 2..<6 {
      let verdict = try channel.identify(SyntheticFinger(seed: seed).impression(0), on: reader, operation: 21)
      #expect(verdict == .miss(operation: 21), "finger \(seed)")
    }
  }
}
