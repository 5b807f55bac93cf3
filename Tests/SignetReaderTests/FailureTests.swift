import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Readers that fail, are missing or are pulled out.
@Suite struct FailureTests {
  let reader: VirtualReader
  let channel: ReaderChannel

  init() throws {
    reader = try VirtualReader(.device)
    channel = try ReaderChannel(reader.arguments)
  }

  @Test func `a reader that is not there cannot be opened`() throws {
    try channel.send(.open(operation: 1, reader: "synaptics:0"))
    guard case .failed(1, .notFound, _) = try channel.next() else {
      Issue.record("a missing reader was opened")
      return
    }
    try channel.open(reader, operation: 2)
  }

  @Test func `nothing runs on a closed reader`() throws {
    try channel.send(.template(operation: 1, [1, 2, 3]))
    try channel.send(.identify(operation: 2))
    try channel.expectFailure(.notOpen, operation: 2)
    try channel.send(.enroll(operation: 3))
    try channel.expectFailure(.notOpen, operation: 3)
    for command in [
      ReaderCommand.deletePrint(operation: 4, [1]), .prune(operation: 4), .clearStorage(operation: 4),
    ] {
      try channel.send(command)
      guard case .failed(4, .notOpen, _) = try channel.next() else {
        Issue.record("\(command) ran")
        return
      }
    }
    try channel.send(.close(operation: 5))
    #expect(try channel.next() == .idle(operation: 5))
  }

  @Test(arguments: [(257, ReaderFailure.tooHot), (256, .removed), (5, .other), (1, .unsupported), (4, .busy)])
  func `a failure of the reader ends a scan with its reason`(code: Int, failure: ReaderFailure) throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try reader.fail(code)
    try channel.expectFailure(failure, operation: 10)
  }

  @Test func `a reader that is pulled out while scanning is removed, and works again when it is back`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try reader.unplug()
    try channel.expectFailure(.removed, operation: 10)
    // libfprint's virtual reader is back when asked for anew.
    try channel.open(reader, operation: 11)
    try channel.load([template])
    #expect(try channel.identify("alice", on: reader, operation: 12) == .match(operation: 12, index: 0))
    try channel.finish()
  }

  @Test func `a reader that is pulled out while enrolling is removed, and works again when it is back`() throws {
    try channel.open(reader)
    try channel.send(.enroll(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try reader.scan("alice")
    #expect(try channel.next() == .enrollStage(operation: 10, completed: 1))
    try reader.unplug()
    try channel.expectFailure(.removed, operation: 10)
    _ = try channel.enroll("alice", on: reader)
    try channel.finish()
  }

  @Test func `a reader that is pulled out between scans is closed by itself`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try reader.unplug()
    try channel.send(.identify(operation: 10))
    try channel.expectFailure(.notOpen, operation: 10)
    try channel.open(reader, operation: 11)
  }

  @Test func `pulled out and back ten times in a row`() throws {
    for round: UInt32 in 1...10 {
      try channel.open(reader, operation: round * 10)
      try channel.send(.enroll(operation: round * 10 + 1))
      #expect(try channel.next() == .armed(operation: round * 10 + 1))
      try reader.unplug()
      try channel.expectFailure(.removed, operation: round * 10 + 1)
    }
    try channel.finish()
  }
}
