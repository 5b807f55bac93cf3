import SignetPasskey
import Testing

/// The packets of CTAPHID, without a device.
struct HIDChannelsTests {
  private var channels = HIDChannels()
  private let broadcast: UInt32 = 0xFFFF_FFFF
  private let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

  private mutating func send(_ report: [UInt8], at now: Int64 = 0) -> [[UInt8]] {
    channels.received(report, at: now).map {
      if case .send(let report) = $0 { report } else { ["\($0)".utf8.count > 0 ? 0xEE : 0] }
    }
  }

  private mutating func open() -> UInt32 {
    let answer = send(report(broadcast, 0x86, nonce))
    return answer[0][15..<19].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func fault(_ code: UInt8, _ channel: UInt32) -> [[UInt8]] { [report(channel, 0xBF, [code])] }

  @Test mutating func `who begins gets a channel of their own, with their nonce and what the device can`() {
    let answers = send(report(broadcast, 0x86, nonce))
    #expect(answers == [report(broadcast, 0x86, nonce + [0, 0, 0, 1, 2, 1, 0, 0, 12])])
    #expect(open() == 2)
    // On a channel of one's own it is that channel again.
    #expect(send(report(2, 0x86, nonce)) == [report(2, 0x86, nonce + [0, 0, 0, 2, 2, 1, 0, 0, 12])])
  }

  @Test(arguments: [0, 1, 56, 57, 58, 116, 117, 7608, 7609])
  mutating func `a ping of any length comes back`(length: Int) {
    let channel = open()
    let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    var answers: [[UInt8]] = []
    for report in packets(channel, 0x81, message) { answers += send(report) }
    #expect(answers == packets(channel, 0x81, message))
  }

  @Test mutating func `what is too long, unknown, empty or on no channel is refused by its code`() {
    let channel = open()
    #expect(send(report(channel, 0x81, [], length: 7610)) == fault(3, channel))
    #expect(send(report(channel, 0x90, [], length: 0xFFFF)) == fault(3, channel))
    #expect(send(report(channel, 0x90, [])) == fault(3, channel))
    #expect(send(report(channel, 0x86, [1, 2, 3])) == fault(3, channel))
    for command: UInt8 in [0x83, 0x88, 0xBB, 0xC0, 0xFF] {
      #expect(send(report(channel, command, [1])) == fault(1, channel))
    }
    for other: UInt32 in [0, 7, broadcast] { #expect(send(report(other, 0x81, [1])) == fault(11, other)) }
    // Nobody waits for these.
    #expect(send(report(channel, 0x91, [])) == [])
    #expect(send(report(channel, 0x00, [])) == [])
    #expect(send([1, 2, 3]) == [])
    #expect(send(report(channel, 0x81, [9])) == [report(channel, 0x81, [9])])
  }

  @Test mutating func `a packet out of order ends the message`() {
    let channel = open()
    let parts = packets(channel, 0x81, [UInt8](repeating: 7, count: 200))
    #expect(send(parts[0]) == [] && send(parts[2]) == fault(4, channel))
    #expect(send(parts[1]) == [])
    #expect(send(parts[0]) == [] && send(parts[1]) == [] && send(parts[1]) == fault(4, channel))
    #expect(send(parts[0]) == [] && send(parts[0]) == fault(4, channel))
    var answers: [[UInt8]] = []
    for part in parts { answers += send(part) }
    #expect(answers == parts)
  }

  @Test mutating func `the rest of a message has half a second for each packet`() {
    let channel = open()
    let parts = packets(channel, 0x81, [UInt8](repeating: 7, count: 200))
    #expect(channels.deadline == nil)
    #expect(send(parts[0], at: 1_000) == [] && channels.deadline == 1_500)
    #expect(send(parts[1], at: 1_400) == [] && channels.timeout(at: 1_899) == [] && channels.deadline == 1_900)
    #expect(channels.timeout(at: 1_900) == [.send(report(channel, 0xBF, [5]))] && channels.deadline == nil)
    #expect(send(parts[2], at: 1_901) == [])
  }

  @Test mutating func `the others are told that the device is busy, and disturb nobody`() {
    let (first, second) = (open(), open())
    let parts = packets(first, 0x90, [UInt8](repeating: 4, count: 100))
    #expect(send(parts[0]) == [])
    #expect(send(report(second, 0x90, [4])) == fault(6, second) && send(report(second, 0x86, nonce)) == fault(6, second))
    #expect(send(report(second, 0x00, [1])) == [] && send(report(second, 0x91, [])) == [])
    #expect(channels.received(parts[1], at: 0) == [.perform([UInt8](repeating: 4, count: 100))])
    #expect(send(report(second, 0x81, [4])) == fault(6, second) && send(report(first, 0x81, [4])) == fault(6, first))
    #expect(open() == 3)
    #expect(channels.keepalive(waits: true) == [.send(report(first, 0xBB, [2]))])
    #expect(channels.answer([0, 1]) == [.send(report(first, 0x90, [0, 1]))])
    #expect(channels.answer([0, 1]) == [] && channels.keepalive(waits: true) == [])
    #expect(channels.received(report(second, 0x90, [4]), at: 0) == [.perform([4])])
  }

  @Test mutating func `only who asked gives it up, and who begins anew wants no answer`() {
    let (first, second) = (open(), open())
    #expect(channels.received(report(first, 0x90, [4]), at: 0) == [.perform([4])])
    #expect(channels.received(report(second, 0x91, []), at: 0) == [])
    #expect(channels.received(report(first, 0x91, []), at: 0) == [.cancel])
    #expect(
      channels.received(report(first, 0x86, nonce), at: 0) == [
        .abandon, .send(report(first, 0x86, nonce + [0, 0, 0, 1, 2, 1, 0, 0, 12])),
      ])
    #expect(channels.answer([0]) == [])
  }

  @Test mutating func `a lock keeps the others out for as long as it was asked for, and no longer`() {
    let (first, second) = (open(), open())
    #expect(send(report(first, 0x84, [10])) == [report(first, 0x84, [])])
    for command: UInt8 in [0x81, 0x84, 0x86, 0x90] {
      #expect(send(report(second, command, nonce), at: 9_999) == fault(6, second))
    }
    #expect(send(report(second, 0x91, []), at: 9_999) == [] && open() == 3)
    #expect(send(report(first, 0x81, [4]), at: 9_999) == [report(first, 0x81, [4])])
    // Nobody has to wake up for its end.
    #expect(channels.deadline == nil)
    #expect(send(report(second, 0x81, [4]), at: 10_000) == [report(second, 0x81, [4])])
  }

  @Test mutating func `who locked it opens it, or begins anew`() {
    let (first, second) = (open(), open())
    for end in [report(first, 0x84, [0]), report(first, 0x86, nonce)] {
      #expect(send(report(first, 0x84, [10])) == [report(first, 0x84, [])])
      #expect(send(report(second, 0x81, [4])) == fault(6, second))
      #expect(send(end).count == 1)
      #expect(send(report(second, 0x81, [4])) == [report(second, 0x81, [4])])
    }
  }

  @Test(arguments: [([], 3), ([11], 2), ([1, 1], 3)] as [([UInt8], UInt8)])
  mutating func `a lock of another length or for longer is refused`(bytes: [UInt8], code: UInt8) {
    let (first, second) = (open(), open())
    #expect(send(report(first, 0x84, bytes)) == fault(code, first))
    #expect(send(report(second, 0x81, [4])) == [report(second, 0x81, [4])])
  }

  @Test mutating func `where the last program closes the device nobody has a channel or a lock, or waits for an answer`() {
    #expect(channels.closed() == [])
    let (first, second) = (open(), open())
    #expect(send(report(first, 0x84, [10])) == [report(first, 0x84, [])] && channels.closed() == [])
    for old in [first, second] { #expect(send(report(old, 0x81, [4])) == fault(11, old)) }
    #expect(open() == first && open() == second)
    #expect(send(packets(second, 0x90, [UInt8](repeating: 4, count: 90))[0]) == [])
    #expect(channels.closed() == [] && channels.deadline == nil)
    #expect(open() == first && channels.received(report(first, 0x90, [4]), at: 0) == [.perform([4])])
    #expect(channels.closed() == [.abandon] && channels.closed() == [])
    #expect(channels.answer([0]) == [] && channels.keepalive(waits: true) == [])
  }
}

/// A first packet.
func report(_ channel: UInt32, _ command: UInt8, _ bytes: [UInt8], length: Int? = nil) -> [UInt8] {
  let count = length ?? bytes.count
  let head =
    (0..<4).map { UInt8(truncatingIfNeeded: channel >> (24 - 8 * UInt32($0))) } + [
      command, UInt8(count >> 8), UInt8(count & 255),
    ]
  return head + bytes + [UInt8](repeating: 0, count: 57 - bytes.count)
}

/// All packets of a message.
func packets(_ channel: UInt32, _ command: UInt8, _ message: [UInt8]) -> [[UInt8]] {
  var packets = [report(channel, command, Array(message.prefix(57)), length: message.count)]
  var rest = message.dropFirst(57)
  while !rest.isEmpty {
    let part = rest.prefix(59)
    rest = rest.dropFirst(59)
    packets.append(packets[0].prefix(4) + [UInt8(packets.count - 1)] + part + [UInt8](repeating: 0, count: 59 - part.count))
  }
  return packets
}
