import SignetTestKit
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
    let channel = try ReaderChannel(readers.flatMap(\.arguments))
    try channel.send(.open(operation: 2, reader: "virtual_device_storage:0#2"))
    #expect(try channel.next() == .opened(operation: 2))
    try channel.send(.prune(operation: 3))
    guard case .failed(3, .unsupported, _) = try channel.next() else {
      Issue.record("pruned")
      return
    }
  }

  private func list(_ channel: ReaderChannel, operation: UInt32) throws -> [String] {
    try channel.send(.list(operation: operation))
    var identifiers: [String] = []
    while case .reader(operation, let description) = try channel.next() { identifiers.append(description.identifier) }
    return identifiers.sorted()
  }
}
