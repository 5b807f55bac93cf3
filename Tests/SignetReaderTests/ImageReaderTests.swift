import Glibc
import SignetTestKit
import Testing

/// libfprint's virtual image reader: its own minutiae detection and matching, and its pauses in opening and closing.
@Suite(.serialized) struct ImageReaderTests {
  let reader: VirtualReader
  let channel: ReaderChannel
  let finger = SyntheticFinger(seed: 1)

  init() throws {
    reader = try VirtualReader(.image)
    channel = try ReaderChannel(reader.arguments)
  }

  @Test func `authentications back to back never find the reader busy`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    for round: UInt32 in 1...4 {
      // All at once, while the reader still finishes the round before: this is where others fail.
      try channel.send(.close(operation: round * 10))
      try channel.send(.open(operation: round * 10 + 1, reader: reader.identifier))
      try channel.load([template])
      try channel.send(.identify(operation: round * 10 + 2))
      while try channel.next() != .armed(operation: round * 10 + 2) {}
      reader.disconnect()
      try reader.present(finger.impression(Int(round) + 20))
      #expect(try channel.next() == .match(operation: round * 10 + 2, index: 0))
    }
    try channel.finish()
  }

  @Test func `the verdict does not wait for the reader to be done`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    // The finger stays on the reader: libfprint ends the operation only when it is lifted.
    try reader.setLiftsFinger(false)
    try reader.reportFinger(true)
    try reader.present(finger.impression(30))
    #expect(try channel.next() == .match(operation: 10, index: 0))
    #expect(try !channel.isReadable(within: 0))
    try reader.reportFinger(false)
    #expect(try channel.next() == .idle(operation: 10))
  }

  @Test func `a scan is cancelled and the next one works`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try channel.send(.cancel(operation: 10))
    try channel.expectFailure(.cancelled, operation: 10)
    let verdict = try channel.identify(finger.impression(31), on: reader, operation: 11)
    #expect(verdict == .match(operation: 11, index: 0))
  }

  @Test func `opening is cancelled and the next one works`() throws {
    try channel.send(.open(operation: 1, reader: reader.identifier))
    try channel.send(.cancel(operation: 1))
    try channel.expectFailure(.cancelled, operation: 1)
    try channel.open(reader, operation: 2)
  }

  @Test func `poor scans and failures of the reader are told`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try reader.presentPoorScan(1)
    #expect(try channel.next() == .poorScan(operation: 10, .tooShort))
    #expect(try channel.next() == .idle(operation: 10))
    try channel.send(.identify(operation: 11))
    #expect(try channel.next() == .armed(operation: 11))
    try reader.presentError(5)
    try channel.expectFailure(.other, operation: 11)
    let verdict = try channel.identify(finger.impression(32), on: reader, operation: 12)
    #expect(verdict == .match(operation: 12, index: 0))
  }

  @Test func `an empty picture is a poor scan or a miss, never a match`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template])
    for ink: UInt8 in [0, 128, 255] {
      let empty = PrintImage(width: 192, height: 192, pixels: [UInt8](repeating: ink, count: 192 * 192))
      switch try channel.identify(empty, on: reader, operation: 10) {
      case .miss(10), .poorScan(10, _): break
      case let event: Issue.record("\(event)")
      }
    }
  }

  @Test func `a finger that is enrolled already is named`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template])
    try channel.send(.enroll(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try reader.present(finger.impression(33))
    #expect(try channel.next() == .match(operation: 10, index: 0))
    try channel.expectFailure(.duplicate, operation: 10)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to look into a process that hides its memory"))
  func `memory after fifty matches is what it was after the first ones`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    let image = finger.impression(40)
    func matchAndClose(times: Int) throws -> Int {
      try channel.load([template])
      for _ in 0..<times {
        #expect(try channel.identify(image, on: reader, operation: 10) == .match(operation: 10, index: 0))
      }
      reader.disconnect()
      try channel.send(.close(operation: 11))
      #expect(try channel.next() == .idle(operation: 11))
      return try privateDirtyKiB(of: channel.pid)
    }
    let before = try matchAndClose(times: 2)
    try channel.open(reader, operation: 12)
    let after = try matchAndClose(times: 50)
    #expect(after <= before + 256, "\(before) KiB before, \(after) KiB after")
  }
}

/// Private dirty memory of a process, from /proc/PID/smaps_rollup.
func privateDirtyKiB(of pid: pid_t) throws -> Int {
  let text = try RawFile.text("/proc/\(pid)/smaps_rollup")
  for line in text.split(separator: "\n") where line.hasPrefix("Private_Dirty:") {
    if let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return number }
  }
  throw TestKitError("no Private_Dirty in \(text)")
}
