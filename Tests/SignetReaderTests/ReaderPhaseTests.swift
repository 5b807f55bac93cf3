import Testing

@testable import SignetReader

@Suite struct ReaderPhaseTests {
  @Test func `an operation is answered once`() {
    var phase = ReaderPhase()
    phase.begin(.identifying, operation: 7)
    let answers = [phase.answer(), phase.answer()]
    #expect(answers == [7, nil])
    phase.settle(isOpen: true)
    let late = phase.answer()
    #expect(late == nil)
  }

  @Test func `going on with another call keeps the answer and the cancel`() {
    var phase = ReaderPhase()
    phase.begin(.searchingDuplicate, operation: 7)
    let first = phase.cancel(7)
    phase.go(on: .enrolling)
    let again = phase.cancel(7)
    #expect(first && !again)
    #expect(phase.isCancelled)
    let answer = phase.answer()
    phase.go(on: .enrolling)
    let late = phase.answer()
    #expect(answer == 7 && late == nil)
  }

  @Test func `only the running operation can be cancelled`() {
    var phase = ReaderPhase()
    let before = phase.cancel(1)
    phase.begin(.opening, operation: 1)
    let other = phase.cancel(2)
    let running = phase.cancel(1)
    phase.settle(isOpen: true)
    let after = phase.cancel(1)
    #expect([before, other, running, after] == [false, false, true, false])
    #expect(phase.isOpen && phase.isSettled)
  }
}
