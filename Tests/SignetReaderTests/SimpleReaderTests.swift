import SignetTestKit
import SignetWire
import Testing

/// libfprint's plain virtual reader, which verifies (1:1) only.
@Suite struct SimpleReaderTests {
  @Test func `the reader is listed with what it can do`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    try channel.send(.list(operation: 1))
    guard case .reader(1, let description) = try channel.next() else {
      Issue.record("no reader listed")
      return
    }
    #expect(description.identifier == "virtual_device:0")
    #expect(description.driver == "virtual_device")
    #expect(description.enrollStages == 5)
    #expect(!description.canIdentify)
    #expect(!description.hasStorage)
    #expect(try channel.next() == .listed(operation: 1))
  }

  @Test func `an enrolled finger matches and another is a miss`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    #expect(try channel.identify("alice", on: reader, operation: 10) == .match(operation: 10, index: 0))
    #expect(try channel.identify("mallory", on: reader, operation: 11) == .miss(operation: 11))
    try channel.send(.close(operation: 12))
    #expect(try channel.next() == .idle(operation: 12))
    channel.closeChannel()
    #expect(try channel.waitForExit() == 0)
  }
}
