import SignetAuthentication
import Testing

@Suite struct LockoutTests {
  private let limits = LockoutLimits()

  private func missing(_ count: Int, from start: Lockout) throws -> Lockout {
    try (0..<count).reduce(start) { lockout, _ in
      try #require(lockout.after(.charge)?.after(.miss))
    }
  }

  @Test func `the fifth miss locks the fingerprints`() throws {
    let four = try missing(4, from: Lockout(strikes: 0, limits: limits))
    #expect(!four.isLocked)
    let five = try missing(1, from: four)
    #expect(five.isLocked)
    #expect(five.after(.charge) == nil)
  }

  @Test func `a charge is durable before its verdict is known`() throws {
    let charged = try #require(Lockout(strikes: 3, limits: limits).after(.charge))
    #expect(charged.durable == 4)
  }

  @Test func `a match before the fifth miss clears the count`() throws {
    let four = try missing(4, from: Lockout(strikes: 0, limits: limits))
    let matched = try #require(four.after(.charge)?.after(.match))
    #expect(matched.durable == 0)
  }

  @Test func `a verdict without a charge counts for nothing`() {
    let open = Lockout(strikes: 4, limits: limits)
    #expect(open.after(.match) == nil)
    #expect(open.after(.miss) == nil)
    #expect(open.after(.giveBack) == nil)
  }

  @Test func `a second scan cannot be charged while one is undecided`() throws {
    let charged = try #require(Lockout(strikes: 0, limits: limits).after(.charge))
    #expect(charged.after(.charge) == nil)
  }

  @Test func `a given-back charge leaves the misses that were decided`() throws {
    let two = try missing(2, from: Lockout(strikes: 0, limits: limits))
    #expect(try #require(two.after(.charge)?.after(.giveBack)) == two)
  }

  @Test func `a passcode clears the misses but not the charge of a scan under way`() throws {
    let charged = try #require(Lockout(strikes: 4, limits: limits).after(.charge))
    let cleared = try #require(charged.after(.clear))
    #expect(cleared.durable == 1)
    #expect(try #require(cleared.after(.miss)).durable == 1)
    #expect(try #require(cleared.after(.match)).durable == 0)
  }

  @Test func `an unusable record is locked until it is cleared`() throws {
    let unusable = Lockout.unusable(limits: limits)
    #expect(unusable.isLocked)
    #expect(unusable.after(.charge) == nil)
    #expect(try #require(unusable.after(.clear)) == Lockout(strikes: 0, limits: limits))
  }
}
