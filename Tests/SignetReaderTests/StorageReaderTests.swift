import SignetTestKit
import SignetWire
import Testing

/// libfprint's virtual reader that keeps prints itself, as match-on-chip readers do, and identifies (1:N).
@Suite struct StorageReaderTests {
  let reader: VirtualReader
  let channel: ReaderChannel

  init() throws {
    reader = try VirtualReader(.storage)
    channel = try ReaderChannel(reader.arguments)
  }

  /// Enrolls on the open reader.
  private func enroll(_ finger: String, operation: UInt32) throws -> [UInt8] {
    try channel.send(.enroll(operation: operation))
    #expect(try channel.next() == .armed(operation: operation))
    for stage: UInt8 in 1...5 {
      try reader.scan(finger)
      #expect(try channel.next() == .enrollStage(operation: operation, completed: stage))
    }
    guard case .enrolled(operation, let template) = try channel.next() else { throw TestKitError("not enrolled") }
    #expect(try channel.next() == .idle(operation: operation))
    return template.array
  }

  @Test func `the reader is listed with storage and identification`() throws {
    try channel.send(.list(operation: 1))
    guard case .reader(1, let description) = try channel.next() else {
      Issue.record("no reader listed")
      return
    }
    #expect(description.canIdentify)
    #expect(description.hasStorage)
  }

  @Test func `the finger is told by its place among the templates`() throws {
    try channel.open(reader)
    let fingers = ["thumb", "index", "middle"]
    let templates = try fingers.enumerated().map { try enroll($1, operation: UInt32($0) + 2) }
    try channel.load(templates)
    for (index, finger) in fingers.enumerated() {
      let verdict = try channel.identify(finger, on: reader, operation: 10)
      #expect(verdict == .match(operation: 10, index: UInt16(index)))
    }
    #expect(try channel.identify("stranger", on: reader, operation: 11) == .miss(operation: 11))
  }

  @Test func `an unusable template keeps its place and the others work`() throws {
    try channel.open(reader)
    let templates = try [enroll("thumb", operation: 2), [1, 2, 3], enroll("middle", operation: 3)]
    try channel.load(templates)
    #expect(try channel.identify("middle", on: reader, operation: 10) == .match(operation: 10, index: 2))
    #expect(try channel.identify("thumb", on: reader, operation: 11) == .match(operation: 11, index: 0))
  }

  @Test func `a finger that is enrolled already is named and not enrolled again`() throws {
    try channel.open(reader)
    try channel.load([enroll("thumb", operation: 2), enroll("index", operation: 3)])
    try channel.send(.enroll(operation: 4))
    #expect(try channel.next() == .armed(operation: 4))
    try reader.poorScan(1)
    #expect(try channel.next() == .poorScan(operation: 4, .tooShort))
    try reader.scan("index")
    #expect(try channel.next() == .match(operation: 4, index: 1))
    try channel.expectFailure(.duplicate, operation: 4)
    #expect(try reader.stored() == ["index", "thumb"])
  }

  @Test func `an unknown finger is enrolled after one scan more`() throws {
    try channel.open(reader)
    try channel.load([enroll("thumb", operation: 2), enroll("index", operation: 3)])
    try channel.send(.enroll(operation: 4))
    #expect(try channel.next() == .armed(operation: 4))
    try reader.scan("middle")
    #expect(try channel.next() == .enrollStage(operation: 4, completed: 0))
    for stage: UInt8 in 1...5 {
      try reader.scan("middle")
      #expect(try channel.next() == .enrollStage(operation: 4, completed: stage))
    }
    guard case .enrolled(4, _) = try channel.next() else {
      Issue.record("not enrolled")
      return
    }
    #expect(try reader.stored() == ["index", "middle", "thumb"])
  }

  @Test func `looking for a duplicate can be cancelled`() throws {
    try channel.open(reader)
    try channel.load([enroll("thumb", operation: 2), enroll("index", operation: 3)])
    try channel.send(.enroll(operation: 4))
    #expect(try channel.next() == .armed(operation: 4))
    try reader.poorScan(0)
    #expect(try channel.next() == .poorScan(operation: 4, .general))
    try channel.send(.cancel(operation: 4))
    try channel.expectFailure(.cancelled, operation: 4)
  }

  @Test func `a duplicate that only the reader knows is refused too`() throws {
    try channel.open(reader)
    try reader.insert("thumb")
    try channel.send(.enroll(operation: 2))
    #expect(try channel.next() == .armed(operation: 2))
    try reader.scan("thumb")
    try channel.expectFailure(.duplicate, operation: 2)
  }

  @Test func `a full store is told, pruned of what nobody owns, and takes the finger then`() throws {
    try channel.open(reader)
    let known = try [enroll("thumb", operation: 2), enroll("index", operation: 3)]
    for number in 1...3 { try reader.insert("left-over-\(number)") }
    try channel.send(.enroll(operation: 4))
    #expect(try channel.next() == .armed(operation: 4))
    try reader.fail(8)
    try channel.expectFailure(.storageFull, operation: 4)
    try channel.load(known)
    try channel.send(.prune(operation: 5))
    for _ in 0...3 { try reader.proceed() }
    #expect(try channel.next() == .pruned(operation: 5, count: 3))
    #expect(try reader.stored() == ["index", "thumb"])
    try channel.open(reader, operation: 6)
    _ = try enroll("middle", operation: 7)
  }

  @Test func `with a template that cannot be read nothing is pruned`() throws {
    try channel.open(reader)
    try reader.insert("left-over")
    let template = try enroll("thumb", operation: 2)
    try channel.load([template, [UInt8](template.dropLast(3))])
    try channel.send(.prune(operation: 3))
    guard case .failed(3, .unusableTemplate, _) = try channel.next() else {
      Issue.record("pruned")
      return
    }
    #expect(try reader.stored() == ["left-over", "thumb"])
  }

  @Test func `one print is deleted, and deleting it again is told`() throws {
    try channel.open(reader)
    let template = try enroll("thumb", operation: 2)
    _ = try enroll("index", operation: 3)
    try channel.send(.deletePrint(operation: 4, ClearTemplate(template)))
    try reader.proceed()
    #expect(try channel.next() == .idle(operation: 4))
    #expect(try reader.stored() == ["index"])
    try channel.send(.deletePrint(operation: 5, ClearTemplate(template)))
    try reader.proceed()
    guard case .failed(5, .notFound, _) = try channel.next() else {
      Issue.record("deleted twice")
      return
    }
  }

  @Test func `the store is cleared`() throws {
    try channel.open(reader)
    _ = try enroll("thumb", operation: 2)
    try channel.send(.clearStorage(operation: 3))
    try reader.proceed()
    #expect(try channel.next() == .idle(operation: 3))
    #expect(try reader.stored().isEmpty)
  }
}
