import SignetTestKit
import SignetWire
import Testing

/// When a finger is asked for, seen and lifted, on libfprint's virtual readers.
@Suite struct FingerEventsTests {
  @Test func `a touch is told before its verdict, and its lift`() throws {
    let (reader, channel, finger) = try enrolled()
    try channel.send(.identify(operation: 10))
    #expect(try channel.nextOfAll() == .armed(operation: 10))
    try reader.present(finger.impression(30))
    #expect(try channel.nextOfAll() == .finger(operation: 10))
    #expect(try channel.nextOfAll() == .fingerOff(operation: 10))
    #expect(try channel.nextOfAll() == .match(operation: 10, index: 0))
    #expect(try channel.nextOfAll() == .idle(operation: 10))
    try channel.finish()
  }

  @Test func `a finger that stays is told as lifted only when it is`() throws {
    let (reader, channel, finger) = try enrolled()
    try channel.send(.identify(operation: 10))
    #expect(try channel.nextOfAll() == .armed(operation: 10))
    try reader.setLiftsFinger(false)
    try reader.reportFinger(true)
    #expect(try channel.nextOfAll() == .finger(operation: 10))
    try reader.present(finger.impression(30))
    #expect(try channel.nextOfAll() == .match(operation: 10, index: 0))
    try reader.reportFinger(false)
    #expect(try channel.nextOfAll() == .fingerOff(operation: 10))
    #expect(try channel.nextOfAll() == .idle(operation: 10))
    try channel.finish()
  }

  @Test func `a finger that lies there when the scan is cancelled is not told as lifted`() throws {
    let (reader, channel, _) = try enrolled()
    try channel.send(.identify(operation: 10))
    #expect(try channel.nextOfAll() == .armed(operation: 10))
    try reader.setLiftsFinger(false)
    try reader.reportFinger(true)
    #expect(try channel.nextOfAll() == .finger(operation: 10))
    try channel.send(.cancel(operation: 10))
    guard case .failed(10, .cancelled, _) = try channel.nextOfAll() else { throw TestKitError("not cancelled") }
    #expect(try channel.nextOfAll() == .idle(operation: 10))
    channel.closeChannel()
    #expect(try channel.waitForExit() == 0)
  }

  @Test func `a scan without a finger tells of none`() throws {
    let (_, channel, _) = try enrolled()
    try channel.send(.identify(operation: 10))
    #expect(try channel.nextOfAll() == .armed(operation: 10))
    try channel.send(.cancel(operation: 10))
    guard case .failed(10, .cancelled, _) = try channel.nextOfAll() else { throw TestKitError("not cancelled") }
    #expect(try channel.nextOfAll() == .idle(operation: 10))
  }

  @Test func `nobody is asked for a finger before the reader needs one`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    try channel.load([channel.enroll("alice", on: reader)])
    // The driver looks for nothing meanwhile, as one that still activates the hardware.
    try reader.command("SLEEP 100")
    try channel.send(.identify(operation: 10))
    try channel.send(.cancel(operation: 10))
    guard case .failed(10, .cancelled, _) = try channel.nextOfAll() else { throw TestKitError("not cancelled") }
    #expect(try channel.nextOfAll() == .idle(operation: 10))
  }

  @Test func `a driver that never says that it needs a finger is armed all the same`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    try channel.load([channel.enroll("alice", on: reader)])
    try reader.command("SLEEP 60000")
    try channel.send(.identify(operation: 10))
    #expect(try channel.nextOfAll() == .armed(operation: 10))
  }

  @Test func `a finger that the reader finds at once needs no asking`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    try channel.load([channel.enroll("alice", on: reader)])
    try reader.scan("alice")
    try channel.send(.identify(operation: 10))
    #expect(try channel.nextOfAll() == .finger(operation: 10))
    #expect(try channel.nextOfAll() == .match(operation: 10, index: 0))
    #expect(try channel.nextOfAll() == .fingerOff(operation: 10))
    #expect(try channel.nextOfAll() == .idle(operation: 10))
  }

  /// An image reader with a finger enrolled and loaded.
  private func enrolled() throws -> (VirtualReader, ReaderChannel, SyntheticFinger) {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments)
    let finger = SyntheticFinger(seed: 1)
    try channel.open(reader)
    try channel.load([channel.enroll(finger, on: reader)])
    return (reader, channel, finger)
  }
}
