import Testing

@testable import SignetHid

@Suite struct AllowanceTests {
  @Test func `so much passes at once, and then one after each period`() {
    var allowance = Allowance(burst: 3, period: 10, at: 100)
    #expect((0..<4).map { _ in allowance.take(at: 100) } == [true, true, true, false])
    #expect(allowance.wait(at: 100) == 10 && allowance.wait(at: 104) == 6)
    #expect((109...111).map { allowance.take(at: $0) } == [false, true, false])
  }

  @Test func `rest makes it whole again, and no more than whole`() {
    var allowance = Allowance(burst: 2, period: 10, at: 0)
    _ = allowance.take(at: 0)
    #expect(!allowance.isWhole(at: 9) && allowance.isWhole(at: 10))
    #expect((0..<3).map { _ in allowance.take(at: 1_000) } == [true, true, false])
  }

  @Test func `what is forfeited takes its time to come back`() {
    var allowance = Allowance(burst: 4, period: 5_000, at: 0)
    allowance.forfeit(at: 0)
    #expect(allowance.wait(at: 0) == 5_000)
    #expect(!allowance.take(at: 4_999) && allowance.take(at: 5_000))
  }
}
