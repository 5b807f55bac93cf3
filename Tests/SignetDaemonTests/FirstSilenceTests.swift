import Glibc
import SignetBytes
import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonConnections

/// Heartbeats for a login whose request is being looked at, before its own thread has said anything.
@Suite final class FirstSilenceTests {
  private let slot = ConnectionSlot(number: 1, crowd: .ofAsker)
  private let ends: (ours: Int32, theirs: Int32)

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    self.ends = (ends[0], ends[1])
    slot.begin(on: ends[0], at: 1_000)
  }

  deinit {
    close(ends.ours)
    close(ends.theirs)
  }

  /// How many heartbeats have arrived since the last time.
  private func heard() throws -> Int {
    var count = 0
    var packet = [UInt8](repeating: 0, count: 64)
    while case let length = recv(ends.theirs, &packet, packet.count, Int32(MSG_DONTWAIT)), length > 0 {
      guard case .heartbeat = try LoginReply(parsing: packet.span.extracting(first: length)) else { return -1 }
      count += 1
    }
    return count
  }

  @Test func `a login that hears nothing gets a heartbeat every quarter of a second`() throws {
    slot.asked(.authenticate)
    #expect(slot.pulse(at: 1_249) == 1_250)
    #expect(try heard() == 0)
    #expect(slot.pulse(at: 1_250) == 1_500)
    #expect(slot.pulse(at: 1_499) == 1_500)
    #expect(try heard() == 1)
    // The main loop was late: one is enough.
    #expect(slot.pulse(at: 2_100) == 2_350)
    #expect(try heard() == 1)
  }

  @Test func `what has not ended after five seconds is not held any longer`() throws {
    slot.asked(.authenticate)
    #expect(slot.pulse(at: 5_999) != nil)
    #expect(slot.pulse(at: 6_000) == nil)
  }

  @Test func `from the first word on the client's own thread speaks`() throws {
    slot.asked(.authenticate)
    slot.speaks()
    #expect(slot.pulse(at: 2_000) == nil)
    #expect(try heard() == 0)
  }

  @Test(arguments: [nil, .status, .context, .enroll] as [RequestKind?])
  func `whoever has asked for nothing, or for something else, gets none`(request: RequestKind?) throws {
    if let request { slot.asked(request) }
    _ = slot.pulse(at: 2_000)
    #expect(try heard() == 0)
  }

  @Test func `nothing is sent on a socket that is closed`() throws {
    slot.asked(.authenticate)
    slot.end()
    _ = slot.pulse(at: 2_000)
    #expect(try heard() == 0)
  }
}
