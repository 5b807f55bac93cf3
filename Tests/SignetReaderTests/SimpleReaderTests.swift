import SignetTestKit
import SignetVocabulary
import Testing

/// libfprint's plain virtual reader, which verifies (1:1) only.
@Suite struct SimpleReaderTests {
  let reader: VirtualReader
  let channel: ReaderChannel

  init() throws {
    reader = try VirtualReader(.device)
    channel = try ReaderChannel(reader.arguments)
  }

  @Test func `the reader is listed with what it can do`() throws {
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
    try channel.finish()
  }

  @Test func `an enrolled finger matches and another is a miss`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    #expect(try channel.identify("alice", on: reader, operation: 10) == .match(operation: 10, index: 0))
    #expect(try channel.identify("mallory", on: reader, operation: 11) == .miss(operation: 11))
    try channel.send(.close(operation: 12))
    #expect(try channel.next() == .idle(operation: 12))
    try channel.finish()
  }

  @Test func `of several templates the one that was chosen is compared, and before that the first`() throws {
    let fingers = ["one", "two", "three"]
    var templates: [[UInt8]] = []
    for finger in fingers { templates.append(try channel.enroll(finger, on: reader)) }
    try channel.load(templates + [[1, 2, 3]])
    #expect(try channel.identify("one", on: reader, operation: 100) == .match(operation: 100, index: 0))
    #expect(try channel.identify("two", on: reader, operation: 101) == .miss(operation: 101))
    for (index, finger) in fingers.enumerated() {
      let operation = UInt32(110 + 10 * index)
      try channel.send(.choose(operation: operation, index: UInt16(index)))
      let verdict = try channel.identify(finger, on: reader, operation: operation + 1)
      #expect(verdict == .match(operation: operation + 1, index: UInt16(index)))
      #expect(try channel.identify("other", on: reader, operation: operation + 2) == .miss(operation: operation + 2))
    }
    try channel.send(.choose(operation: 200, index: 3))
    try channel.send(.identify(operation: 201))
    try channel.expectFailure(.unusableTemplate, operation: 201)
  }

  @Test func `a template carries no user, finger or date`() throws {
    let template = try channel.enroll("alice", on: reader)
    // libfprint's form: type, driver, device id, stored, finger, user, description, date. The last four are 0, nothing,
    // nothing and the least number; one byte aligns.
    let bare = Array("FP3".utf8) + [1, 0, 0, 0] + Array("virtual_device\0".utf8) + Array("0\0".utf8) + [0, 0, 0, 0, 0, 0, 0x80]
    #expect(template.starts(with: bare), "\(template)")
  }

  @Test func `after a poor scan the templates are still loaded`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    for (reason, retry) in [(1, ScanRetry.tooShort), (2, .centerFinger), (3, .removeFinger), (0, .general)] {
      try channel.send(.identify(operation: 10))
      #expect(try channel.next() == .armed(operation: 10))
      try reader.poorScan(reason)
      #expect(try channel.next() == .poorScan(operation: 10, retry))
      #expect(try channel.next() == .idle(operation: 10))
    }
    #expect(try channel.identify("alice", on: reader, operation: 11) == .match(operation: 11, index: 0))
  }

  @Test func `poor scans while enrolling cost no stage`() throws {
    try channel.open(reader)
    try channel.send(.enroll(operation: 2))
    #expect(try channel.next() == .armed(operation: 2))
    for stage: UInt8 in 1...5 {
      try reader.poorScan(2)
      #expect(try channel.next() == .poorScan(operation: 2, .centerFinger))
      try reader.scan("alice")
      #expect(try channel.next() == .enrollStage(operation: 2, completed: stage))
    }
    guard case .enrolled(2, _) = try channel.next() else {
      Issue.record("not enrolled")
      return
    }
    #expect(try channel.next() == .idle(operation: 2))
  }

  @Test func `a scan is cancelled and the next one works`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try channel.send(.cancel(operation: 10))
    try channel.expectFailure(.cancelled, operation: 10)
    #expect(try channel.identify("alice", on: reader, operation: 11) == .match(operation: 11, index: 0))
  }

  @Test func `an enrolment is cancelled between stages and the next one works`() throws {
    try channel.open(reader)
    try channel.send(.enroll(operation: 2))
    #expect(try channel.next() == .armed(operation: 2))
    try reader.scan("alice")
    #expect(try channel.next() == .enrollStage(operation: 2, completed: 1))
    try channel.send(.cancel(operation: 2))
    try channel.expectFailure(.cancelled, operation: 2)
    try channel.send(.close(operation: 3))
    #expect(try channel.next() == .idle(operation: 3))
    _ = try channel.enroll("alice", on: reader)
  }

  @Test func `cancelling what is over, or never was, only says idle`() throws {
    try channel.open(reader)
    try channel.send(.cancel(operation: 1))
    #expect(try channel.next() == .idle(operation: 1))
    try channel.send(.cancel(operation: 4711))
    #expect(try channel.next() == .idle(operation: 4711))
  }

  @Test func `a queued scan that is cancelled never starts`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try channel.send(.identify(operation: 11))
    try channel.send(.cancel(operation: 11))
    try channel.expectFailure(.cancelled, operation: 11)
    try reader.scan("alice")
    #expect(try channel.next() == .match(operation: 10, index: 0))
    #expect(try channel.next() == .idle(operation: 10))
    try channel.send(.close(operation: 12))
    #expect(try channel.next() == .idle(operation: 12))
  }

  @Test func `the reader is listed while it scans`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try channel.send(.list(operation: 11))
    guard case .reader(11, _) = try channel.next() else {
      Issue.record("not listed")
      return
    }
    #expect(try channel.next() == .listed(operation: 11))
    try reader.scan("alice")
    #expect(try channel.next() == .match(operation: 10, index: 0))
  }

  @Test func `commands sent ahead are served in order`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.send(.close(operation: 3))
    try channel.send(.open(operation: 4, reader: reader.identifier))
    try channel.load([template])
    try channel.send(.identify(operation: 5))
    #expect(try channel.next() == .idle(operation: 3))
    #expect(try channel.next() == .opened(operation: 4))
    #expect(try channel.next() == .armed(operation: 5))
    try reader.scan("alice")
    #expect(try channel.next() == .match(operation: 5, index: 0))
    #expect(try channel.next() == .idle(operation: 5))
  }

  @Test func `a finger that is on the reader already is decided, and nobody is asked for one afterwards`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try reader.scan("alice")
    try channel.send(.identify(operation: 10))
    // libfprint may take the finger up inside the call that arms the reader, or after it.
    let first = try channel.next()
    if first == .armed(operation: 10) {
      #expect(try channel.next() == .match(operation: 10, index: 0))
    } else {
      #expect(first == .match(operation: 10, index: 0))
    }
    #expect(try channel.next() == .idle(operation: 10))
  }

  @Test func `opening again forgets the templates`() throws {
    let template = try channel.enroll("alice", on: reader)
    try channel.load([template])
    try channel.open(reader, operation: 5)
    try channel.send(.identify(operation: 6))
    try channel.expectFailure(.unusableTemplate, operation: 6)
  }
}
