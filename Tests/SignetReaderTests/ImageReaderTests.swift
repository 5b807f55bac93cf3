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

  @Test func `an empty picture is a poor scan`() throws {
    try channel.open(reader)
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template])
    for ink: UInt8 in [0, 128, 255] {
      let empty = PrintImage(width: 192, height: 192, pixels: [UInt8](repeating: ink, count: 192 * 192))
      guard case .poorScan(10, _) = try channel.identify(empty, on: reader, operation: 10) else {
        Issue.record("ink \(ink) is no poor scan")
        continue
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
    func matchAndClose(times: Int) throws -> [String: Int] {
      try channel.load([template])
      for _ in 0..<times {
        #expect(try channel.identify(image, on: reader, operation: 10) == .match(operation: 10, index: 0))
      }
      reader.disconnect()
      try channel.send(.close(operation: 11))
      #expect(try channel.next() == .idle(operation: 11))
      return try privateDirtyKiB(of: channel.pid)
    }
    // libfprint's own threads come and go, each with a stack and a heap, and stay no longer than they like: what leaks grows
    // in every round.
    var before = try matchAndClose(times: 2)
    var growth = [String: Int]()
    for round: UInt32 in 1...3 {
      try channel.open(reader, operation: 11 + round)
      let after = try matchAndClose(times: 50)
      growth = after.merging(before.mapValues(-)) { $0 + $1 }.filter { $0.value != 0 }
      if growth.values.reduce(0, +) <= 256 { return }
      before = after
    }
    Issue.record("fifty matches more took memory in every round, at last, in KiB: \(growth)")
  }
}

/// Private dirty memory of a process by what it is mapped for, from /proc/PID/smaps.
func privateDirtyKiB(of pid: pid_t) throws -> [String: Int] {
  var (sizes, mapping) = ([String: Int](), "")
  for line in try RawFile.text("/proc/\(pid)/smaps").split(separator: "\n") {
    let words = line.split(separator: " ", maxSplits: 5)
    // `7f0000000000-7f0000001000 r--p 00000000 08:01 4711 /path`, then rows of `Name: number kB`.
    if words[0].last != ":" { mapping = words.count > 5 ? String(words[5]) : "-" }
    if words[0] == "Private_Dirty:" { sizes[mapping, default: 0] += Int(words[1]) ?? 0 }
  }
  guard !sizes.isEmpty else { throw TestKitError("no Private_Dirty of \(pid)") }
  return sizes
}
