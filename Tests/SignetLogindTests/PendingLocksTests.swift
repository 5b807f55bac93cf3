import Testing

@testable import SignetLogind

@Suite struct PendingLocksTests {
  private let ofAlice = PendingLocks.Lock(session: "/session/c1", user: "alice")
  private let ofBob = PendingLocks.Lock(session: "/session/c2", user: "bob")

  @Test func `a lock that was not done is tried again, more and more seldom`() {
    var locks = PendingLocks()
    for pause: UInt32 in [1, 2, 4, 8] {
      #expect(locks.keep(ofAlice) == pause)
      #expect(locks.due() == [ofAlice])
    }
  }

  @Test func `several wait for the same moment`() {
    var locks = PendingLocks()
    #expect(locks.keep(ofAlice) == 1)
    #expect(locks.keep(ofBob) == nil)
    #expect(locks.keep(ofAlice) == nil)
    #expect(locks.due() == [ofAlice, ofBob])
  }

  @Test func `a session that is open again is not locked any more, and the next lock begins anew`() {
    var locks = PendingLocks()
    _ = locks.keep(ofAlice)
    _ = locks.due()
    _ = locks.keep(ofAlice)
    locks.forget(ofAlice.session)
    #expect(locks.due() == [])
    #expect(locks.keep(ofAlice) == 1)
  }
}
