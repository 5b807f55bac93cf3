import Testing

@testable import SignetHid

@Suite struct SeatOwnerTests {
  private let alices = SeatOwner.Session(uid: 1000, isAtSeat: true, isActive: true, isLocked: false)

  /// Alice sits at the seat.
  private func seated() -> SeatOwner {
    var seat = SeatOwner()
    if let question = seat.activated("/alice") { seat.described(question, alices) }
    return seat
  }

  @Test func `the seat is the active session's user's, once logind has described it`() {
    var seat = SeatOwner()
    #expect(seat.uid == nil)
    let question = seat.activated("/alice")
    #expect(question != nil && seat.uid == nil)
    seat.described(question ?? 0, alices)
    #expect(seat.uid == 1000)
  }

  @Test func `it is nobody's where one thing is otherwise, or not said`() {
    let properties: [WritableKeyPath<SeatOwner.Session, Bool?>] = [\.isAtSeat, \.isActive, \.isLocked]
    for property in properties {
      for value in [nil, !(alices[keyPath: property] ?? true)] {
        var (seat, session) = (SeatOwner(), alices)
        session[keyPath: property] = value
        let question = seat.activated("/alice")
        seat.described(question ?? 0, session)
        #expect(seat.uid == nil)
      }
    }
  }

  @Test func `an answer about the session before is late`() {
    var seat = SeatOwner()
    let first = seat.activated("/alice")
    let second = seat.activated("/bob")
    seat.described(first ?? 0, alices)
    #expect(seat.uid == nil)
    var bobs = alices
    bobs.uid = 1001
    seat.described(second ?? 0, bobs)
    #expect(seat.uid == 1001)
  }

  @Test func `a switch takes it at once, also to the same session`() {
    var seat = seated()
    #expect(seat.activated("/alice") != nil && seat.uid == nil)
    seat = seated()
    #expect(seat.activated(nil) == nil && seat.uid == nil)
  }

  @Test func `a session that says that it is locked has it when it says that it is open`() {
    var seat = seated()
    seat.changed("/alice", SeatOwner.Session(isLocked: true))
    #expect(seat.uid == nil)
    seat.changed("/bob", SeatOwner.Session(isLocked: false))
    #expect(seat.uid == nil)
    seat.changed("/alice", SeatOwner.Session(isLocked: false))
    #expect(seat.uid == 1000)
    seat.changed("/alice", SeatOwner.Session(isActive: false))
    #expect(seat.uid == nil)
  }

  @Test func `a locker that was told to lock counts as locked, through switches, until it is told or says otherwise`() {
    var seat = seated()
    seat.told("/alice", toLock: true)
    #expect(seat.uid == nil)
    _ = seat.activated("/bob")
    let question = seat.activated("/alice")
    seat.described(question ?? 0, alices)
    #expect(seat.uid == nil)
    seat.changed("/alice", SeatOwner.Session(isActive: true))
    #expect(seat.uid == nil)
    seat.changed("/alice", SeatOwner.Session(isLocked: false))
    #expect(seat.uid == 1000)
    seat.told("/alice", toLock: true)
    seat.told("/bob", toLock: false)
    #expect(seat.uid == nil)
    seat.told("/alice", toLock: false)
    #expect(seat.uid == 1000)
  }

  @Test func `a session that ends, and a logind that goes, leave it nobody's`() {
    var seat = seated()
    seat.removed("/bob")
    #expect(seat.uid == 1000)
    seat.removed("/alice")
    #expect(seat.uid == nil)
    seat = seated()
    seat.vanished()
    #expect(seat.uid == nil)
  }
}
