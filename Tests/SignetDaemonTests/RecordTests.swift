import SignetMemory
import SignetWire
import Testing

@testable import SignetDaemon

@Suite struct RecordTests {
  private let finger = EnrolledFinger(
    finger: .leftThumb, reader: "driver:0", isSwipe: true, enrolled: 1_700_000_000, template: [UInt8](0..<100))

  @Test func `a record reads back as it was written`() throws {
    #expect(try EnrolledFinger(decoding: finger.encoded(uid: 1000), uid: 1000) == finger)
  }

  @Test func `a record of another user is refused`() throws {
    let bytes = try finger.encoded(uid: 1000)
    #expect(throws: WireError.badValue) { _ = try EnrolledFinger(decoding: bytes, uid: 1001) }
  }

  @Test func `a record of another purpose is refused`() throws {
    let strikes = try Record.encode(.strikes, uid: 1000, limit: 256) { packet throws(WireError) in try packet.put(3) }
    #expect(throws: WireError.badValue) { _ = try EnrolledFinger(decoding: strikes, uid: 1000) }
  }

  @Test func `a record with any one bit flipped is refused`() throws {
    let bytes = try finger.encoded(uid: 1000)
    for bit in 0..<(bytes.count * 8) {
      var altered = bytes
      altered[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: WireError.self) { _ = try EnrolledFinger(decoding: altered, uid: 1000) }
    }
  }

  @Test func `a record cut anywhere is refused`() throws {
    let bytes = try finger.encoded(uid: 1000)
    for count in 0..<bytes.count {
      #expect(throws: WireError.self) { _ = try EnrolledFinger(decoding: Array(bytes.prefix(count)), uid: 1000) }
    }
  }
}
