import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@Suite struct SeveralReadersTests {
  @Test func `readers are told apart, those of one driver too`() throws {
    let readers = try [VirtualReader(.device), VirtualReader(.storage), VirtualReader(.storage), VirtualReader(.image)]
    let channel = try ReaderChannel(readers.flatMap(\.arguments))
    let identifiers = ["virtual_device:0", "virtual_device_storage:0", "virtual_device_storage:0#2", "virtual_image:0"]
    #expect(try list(channel, operation: 1) == identifiers)

    // Each is the one it says: only there a finger can be put on.
    try channel.send(.open(operation: 2, reader: "virtual_device_storage:0#2"))
    #expect(try channel.next() == .opened(operation: 2))
    try readers[2].insert("thumb")
    #expect(throws: TestKitError.self) { try readers[1].insert("thumb") }

    // Opening another closes the one before.
    try channel.send(.open(operation: 3, reader: "virtual_device:0"))
    #expect(try channel.next() == .opened(operation: 3))
    #expect(throws: TestKitError.self) { try readers[2].insert("thumb") }

    // The same names after replugging.
    try readers[0].unplug()
    try channel.send(.identify(operation: 4))
    try channel.expectFailure(.notOpen, operation: 4)
    #expect(try list(channel, operation: 5) == identifiers)
  }

  @Test func `a reader that cannot list its prints says that it cannot prune`() throws {
    let readers = try [VirtualReader(.storage), VirtualReader(.storage)]
    // Nothing below names them, and they go with their last name.
    defer { withExtendedLifetime(readers) {} }
    let channel = try ReaderChannel(readers.flatMap(\.arguments))
    try channel.send(.open(operation: 2, reader: "virtual_device_storage:0#2"))
    #expect(try channel.next() == .opened(operation: 2))
    try channel.send(.prune(operation: 3))
    guard case .failed(3, .unsupported, _) = try channel.next() else {
      Issue.record("pruned")
      return
    }
  }

  // MARK: One scan on two

  /// Both readers open side by side, each with a template: `one` on the first, `two` on the second.
  private struct Pair {
    let one = try! VirtualReader(.device)
    let two = try! VirtualReader(.storage)
    let channel: ReaderChannel

    init() throws {
      channel = try ReaderChannel(one.arguments + two.arguments)
      let first = try channel.enroll("one", on: one)
      let second = try channel.enroll("two", on: two)
      try open(first, second)
    }

    func open(_ first: [UInt8], _ second: [UInt8]) throws {
      try channel.send(.open(operation: 11, reader: one.identifier))
      try channel.send(.openBeside(operation: 12, reader: two.identifier))
      try channel.send(.template(operation: 11, ClearTemplate(first)))
      try channel.send(.template(operation: 12, ClearTemplate(second)))
      let events = [try channel.next(), try channel.next()]
      #expect(events.contains(.opened(operation: 11)) && events.contains(.opened(operation: 12)))
    }

    func arm(_ operation: UInt32) throws {
      try channel.send(.identify(operation: operation))
      #expect(try channel.next() == .armed(operation: operation))
    }
  }

  @Test func `two readers wait for the finger together, and the match says which template it is`() throws {
    let pair = try Pair()
    for (operation, (reader, finger)) in zip(UInt32(20)..., [(pair.one, "one"), (pair.two, "two"), (pair.one, "one")]) {
      try pair.arm(operation)
      try reader.scan(finger)
      #expect(try pair.channel.next() == .match(operation: operation, index: finger == "one" ? 0 : 1))
      #expect(try pair.channel.next() == .idle(operation: operation))
    }
  }

  @Test func `a finger that is enrolled on one reader is a miss on the other, and that is one verdict`() throws {
    let pair = try Pair()
    try pair.arm(20)
    try pair.two.scan("one")
    #expect(try pair.channel.next() == .miss(operation: 20))
    #expect(try pair.channel.next() == .idle(operation: 20))
    try pair.arm(21)
    try pair.one.scan("one")
    #expect(try pair.channel.next() == .match(operation: 21, index: 0))
  }

  @Test func `a cancel ends the scan on both`() throws {
    let pair = try Pair()
    try pair.arm(20)
    try pair.channel.send(.cancel(operation: 20))
    try pair.channel.expectFailure(.cancelled, operation: 20)
    try pair.channel.send(.close(operation: 21))
    #expect(try pair.channel.next() == .idle(operation: 21))
    try pair.one.awaitClosed()
    try pair.two.awaitClosed()
  }

  @Test func `what follows a scan on two waits until both have ended it`() throws {
    let pair = try Pair()
    try pair.arm(20)
    try pair.channel.send(.identify(operation: 21))
    try pair.two.poorScan()
    #expect(try pair.channel.next() == .poorScan(operation: 20, .general))
    #expect(try pair.channel.next() == .idle(operation: 20))
    #expect(try pair.channel.next() == .armed(operation: 21))
    try pair.one.scan("one")
    #expect(try pair.channel.next() == .match(operation: 21, index: 0))
  }

  @Test func `a reader that is pulled out leaves the finger to the other`() throws {
    let pair = try Pair()
    try pair.arm(20)
    try pair.one.unplug()
    try pair.two.scan("two")
    #expect(try pair.channel.next() == .match(operation: 20, index: 1))
    #expect(try pair.channel.next() == .idle(operation: 20))
  }

  @Test func `a reader that is not there leaves the finger to the other, whichever comes first`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    let template = try ClearTemplate(channel.enroll("one", on: reader))
    for (operation, order) in [(UInt32(10), ["gone:0", reader.identifier]), (20, [reader.identifier, "gone:0"])] {
      try channel.send(.open(operation: operation, reader: order[0]))
      try channel.send(.openBeside(operation: operation + 1, reader: order[1]))
      try channel.send(.template(operation: operation + (order[0] == "gone:0" ? 1 : 0), template))
      try channel.send(.identify(operation: operation + 2))
      #expect(try channel.next(of: operation + 2) == .armed(operation: operation + 2))
      try reader.scan("one")
      #expect(try channel.next() == .match(operation: operation + 2, index: 0))
      #expect(try channel.next() == .idle(operation: operation + 2))
    }
  }

  @Test func `opening one reader afterwards closes both`() throws {
    let pair = try Pair()
    try pair.channel.send(.open(operation: 20, reader: pair.two.identifier))
    #expect(try pair.channel.next() == .opened(operation: 20))
    #expect(throws: TestKitError.self) { try pair.one.scan("one") }
  }

  @Test func `no more than four readers are open, and none twice`() throws {
    let readers = try [VirtualReader(.device), VirtualReader(.storage), VirtualReader(.storage), VirtualReader(.image)]
    // Nothing below names them, and they go with their last name.
    defer { withExtendedLifetime(readers) {} }
    let channel = try ReaderChannel(readers.flatMap(\.arguments))
    let names = try list(channel, operation: 1)
    func refusal(of reader: String, _ operation: UInt32) throws -> ReaderFailure? {
      try channel.send(.openBeside(operation: operation, reader: reader))
      switch try channel.next(of: operation) {
      case .failed(_, let failure, _): return failure
      case let event:
        #expect(event == .opened(operation: operation))
        return nil
      }
    }
    #expect(try refusal(of: names[0], 2) == .other)
    try channel.send(.open(operation: 3, reader: names[0]))
    #expect(try refusal(of: names[0], 4) == .busy)
    #expect(try refusal(of: names[1], 5) == nil)
    #expect(try refusal(of: names[2], 6) == nil)
    #expect(try refusal(of: names[3], 7) == .other)
    try channel.finish()
  }

  private func list(_ channel: ReaderChannel, operation: UInt32) throws -> [String] {
    try channel.send(.list(operation: operation))
    var identifiers: [String] = []
    while case .reader(operation, let description) = try channel.next() { identifiers.append(description.identifier) }
    return identifiers.sorted()
  }
}
