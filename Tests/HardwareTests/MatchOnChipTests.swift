import SignetTestKit
import SignetWire
import Testing

/// Recorded readers that keep and match prints themselves. A recording allows its own order of operations only, and
/// bare templates only: anything else in them would be other bytes on the wire.
@Suite(.enabled(if: Recording.folder != nil, Recording.reasonToSkip), .serialized)
struct MatchOnChipTests {
  @Test func `a Synaptics reader clears, enrolls, verifies and deletes`() throws {
    let channel = try Recording(name: "synaptics").start()
    let reader = try channel.onlyReader()
    #expect(reader.driver == "synaptics" && reader.hasStorage && reader.enrollStages == 8)
    try channel.open(reader)
    try channel.perform(.clearStorage(operation: 10), operation: 10)
    let (template, poorScans) = try channel.enrollRecordedFinger(stages: 8)
    #expect(poorScans == 1)
    // One template: the reader verifies (1:1).
    try channel.send(.template(operation: 0, template))
    try channel.matchRecordedFinger(operation: 11)
    try channel.perform(.deletePrint(operation: 12, template), operation: 12)
    try channel.perform(.close(operation: 13), operation: 13)
    try channel.finish()
  }

  @Test func `a Goodix reader clears, enrolls, lists, verifies, identifies and deletes`() throws {
    let channel = try Recording(name: "goodixmoc").start()
    let reader = try channel.onlyReader()
    #expect(reader.driver == "goodixmoc" && reader.hasStorage && reader.enrollStages == 12)
    try channel.open(reader)
    try channel.perform(.clearStorage(operation: 10), operation: 10)
    let (template, poorScans) = try channel.enrollRecordedFinger(stages: 12)
    #expect(poorScans > 0)
    try verifyAndIdentify(template, on: channel)
    try channel.finish()
  }

  @Test func `an ELAN reader enrolls, lists, verifies, identifies and deletes`() throws {
    let channel = try Recording(name: "elanmoc").start()
    let reader = try channel.onlyReader()
    #expect(reader.driver == "elanmoc" && reader.hasStorage && reader.enrollStages == 9)
    try channel.open(reader)
    let (template, poorScans) = try channel.enrollRecordedFinger(stages: 9)
    #expect(poorScans == 2)
    try verifyAndIdentify(template, on: channel)
    try channel.finish()
  }

  private func verifyAndIdentify(_ template: ClearTemplate, on channel: ReaderChannel) throws {
    try channel.send(.template(operation: 0, template))
    // Lists the reader's prints: the one it has is the loaded one, so none goes.
    try channel.send(.prune(operation: 11))
    #expect(try channel.next() == .pruned(operation: 11, count: 0))
    // With one template it verifies, with two it identifies.
    try channel.matchRecordedFinger(operation: 12)
    try channel.send(.template(operation: 0, template))
    try channel.matchRecordedFinger(operation: 13)
    try channel.perform(.deletePrint(operation: 14, template), operation: 14)
    try channel.perform(.close(operation: 15), operation: 15)
  }
}
