import SignetVocabulary
import SignetWire
import Testing

@testable import SignetReader

/// One scan on two readers, for the orders in which they can report.
@Suite struct SharedScanTests {
  private var scan = SharedScan(7, readers: 2)

  private mutating func fail(_ failure: ReaderFailure, on reader: Int) -> [ReaderEvent] {
    scan.hear(failed(failure), from: reader)
  }

  private func failed(_ failure: ReaderFailure) -> ReaderEvent { .failed(operation: 7, failure, explanation: "\(failure)") }

  @Test mutating func `it is armed with the first reader, and idle with the last`() {
    #expect(scan.hear(.armed(operation: 7), from: 1) == [.armed(operation: 7)])
    #expect(scan.hear(.armed(operation: 7), from: 0) == [])
    #expect(scan.hear(.miss(operation: 7), from: 0) == [.miss(operation: 7)])
    #expect(scan.hear(.idle(operation: 7), from: 0) == [])
    #expect(scan.running == [1])
    #expect(fail(.cancelled, on: 1) == [])
    #expect(scan.hear(.idle(operation: 7), from: 1) == [.idle(operation: 7)])
    #expect(scan.running == [])
  }

  @Test(arguments: [ReaderEvent.match(operation: 7, index: 1), .miss(operation: 7), .poorScan(operation: 7, .general)])
  mutating func `the first verdict is the scan's, and a second one counts for nothing`(first: ReaderEvent) {
    #expect(scan.hear(first, from: 0) == [first])
    #expect(scan.isDecided)
    // But somebody's finger was there.
    #expect(scan.hear(.match(operation: 7, index: 0), from: 1) == [.finger(operation: 7)])
  }

  @Test mutating func `a reader that was not armed before the verdict asks nobody for a finger after it`() {
    _ = scan.hear(.match(operation: 7, index: 0), from: 0)
    #expect(scan.hear(.armed(operation: 7), from: 1) == [])
  }

  @Test mutating func `a finger is lifted when none is left on any reader`() {
    #expect(scan.hear(.finger(operation: 7), from: 0) == [.finger(operation: 7)])
    #expect(scan.hear(.finger(operation: 7), from: 1) == [])
    #expect(scan.hear(.fingerOff(operation: 7), from: 0) == [])
    #expect(scan.hear(.fingerOff(operation: 7), from: 1) == [.fingerOff(operation: 7)])
  }

  @Test mutating func `nobody says that a finger is gone from a reader whose call ended while it lay there`() {
    _ = scan.hear(.finger(operation: 7), from: 0)
    _ = scan.hear(.miss(operation: 7), from: 0)
    _ = scan.hear(.idle(operation: 7), from: 0)
    _ = scan.hear(.finger(operation: 7), from: 1)
    #expect(scan.hear(.fingerOff(operation: 7), from: 1) == [])
  }

  @Test mutating func `one reader's failure is not the scan's while another one listens`() {
    _ = scan.hear(.armed(operation: 7), from: 0)
    #expect(fail(.removed, on: 0) == [])
    #expect(scan.hear(.idle(operation: 7), from: 0) == [])
    #expect(scan.hear(.match(operation: 7, index: 3), from: 1) == [.match(operation: 7, index: 3)])
  }

  @Test mutating func `where all fail, what may hide a verdict is told, whatever came after it`() {
    _ = scan.hear(.armed(operation: 7), from: 0)
    _ = fail(.removed, on: 0)
    #expect(fail(.cancelled, on: 1) == [failed(.removed)])
  }

  @Test(arguments: [ReaderFailure.notOpen, .tooHot, .unusableTemplate])
  mutating func `a reader that could not be armed hides no verdict when the other is cancelled`(failure: ReaderFailure) {
    _ = fail(failure, on: 0)
    _ = scan.hear(.armed(operation: 7), from: 1)
    #expect(fail(.cancelled, on: 1) == [failed(.cancelled)])
  }

  @Test mutating func `of two that were cancelled the one that tells of no finger is told`() {
    _ = scan.hear(.armed(operation: 7), from: 0)
    _ = fail(.cancelled, on: 0)
    #expect(fail(.cancelledUnseen, on: 1) == [failed(.cancelledUnseen)])
  }

  @Test mutating func `a reader that ends without a word has failed, and may hide a verdict if it was armed`() {
    _ = scan.hear(.armed(operation: 7), from: 0)
    #expect(scan.hear(.idle(operation: 7), from: 0) == [])
    guard case .failed(7, .other, _) = fail(.cancelled, on: 1).first else {
      Issue.record("given back")
      return
    }
  }

  @Test mutating func `what a reader says after it is idle is not heard`() {
    _ = scan.hear(.idle(operation: 7), from: 0)
    #expect(scan.hear(.match(operation: 7, index: 0), from: 0) == [])
    #expect(!scan.isDecided)
  }
}
