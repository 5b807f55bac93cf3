import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonReaders

@Suite struct `the finger on a reader` {
  private let alice: UInt32 = 1000
  private let bob: UInt32 = 1001

  /// What alice's scan 7 says of a finger, in this order, a second after each other; then she lets go.
  private func trace(_ events: ReaderEvent...) -> FingerTrace {
    var trace = FingerTrace()
    trace.begin(for: alice, from: 7)
    for (second, event) in events.enumerated() { trace.note(event, at: Int64(second) * 1000) }
    trace.end(at: 10_000)
    return trace
  }

  @Test(arguments: [
    ReaderEvent.finger(operation: 7), .match(operation: 7, index: 0), .miss(operation: 7), .poorScan(operation: 7, .general),
  ])
  func `is seen by a scan that tells of it, or judges it`(event: ReaderEvent) {
    #expect(trace(.armed(operation: 7), event).wasSeen(in: 7))
    #expect(trace(event, .idle(operation: 7)).wasSeen(in: 7))
  }

  @Test func `is not seen by a scan that only waited for it`() {
    #expect(!trace(.armed(operation: 7), .failed(operation: 7, .cancelled, explanation: ""), .idle(operation: 7)).wasSeen(in: 7))
  }

  @Test func `was seen even where it was lifted since`() {
    #expect(trace(.finger(operation: 7), .fingerOff(operation: 7)).wasSeen(in: 7))
  }

  @Test func `of a poor scan is not that of the scan after it`() {
    let poor = trace(.finger(operation: 7), .poorScan(operation: 7, .general), .idle(operation: 7), .armed(operation: 8))
    #expect(!poor.wasSeen(in: 8))
  }

  @Test func `makes another user wait for two seconds where nobody tells that it was lifted`() {
    let match = trace(.match(operation: 7, index: 0))
    #expect(match.pauses(bob, at: 10_000) == 12_000)
    #expect(match.pauses(bob, at: 11_999) == 12_000)
    #expect(match.pauses(bob, at: 12_000) == nil)
  }

  @Test func `never makes its own user wait`() {
    #expect(trace(.match(operation: 7, index: 0)).pauses(alice, at: 10_000) == nil)
  }

  @Test func `makes nobody wait once it was seen to be lifted, before the verdict or after it`() {
    #expect(trace(.finger(operation: 7), .match(operation: 7, index: 0), .fingerOff(operation: 7)).pauses(bob, at: 10_000) == nil)
    #expect(trace(.finger(operation: 7), .fingerOff(operation: 7), .match(operation: 7, index: 0)).pauses(bob, at: 10_000) == nil)
  }

  @Test func `that is lifted while the next user waits makes them wait no longer`() {
    var trace = trace(.finger(operation: 7), .match(operation: 7, index: 0))
    trace.begin(for: bob, from: 8)
    #expect(trace.pauses(bob, at: 10_001) == 12_000)
    trace.note(.fingerOff(operation: 7), at: 10_001)
    #expect(trace.pauses(bob, at: 10_001) == nil)
  }

  @Test func `that is told of late is that of the user before`() {
    var trace = trace()
    trace.begin(for: bob, from: 8)
    trace.note(.match(operation: 7, index: 0), at: 10_001)
    #expect(trace.pauses(bob, at: 10_001) == 12_001)
  }

  @Test func `is put there anew after it was lifted`() {
    let enrolling = trace(
      .finger(operation: 7), .enrollStage(operation: 7, completed: 1), .fingerOff(operation: 7), .finger(operation: 7))
    #expect(enrolling.pauses(bob, at: 10_000) == 12_000)
  }
}
