import Testing

@testable import SignetHid

@Suite struct PlacesTests {
  private var places = Places()

  /// A user at the seat with the device, on connection 7.
  private func served() -> Places {
    var places = Places()
    _ = places.belongs(to: 1000, at: 0)
    _ = places.arrive(7, of: 1000, at: 0)
    return places
  }

  @Test mutating func `who comes first waits for the seat, and who has the seat is served at once`() {
    #expect(places.arrive(7, of: 1000, at: 0) == [])
    #expect(places.belongs(to: 1000, at: 0) == [.make(7)])
    #expect(places.served == 7)
    #expect(places.arrive(8, of: 1001, at: 0) == [])
    #expect(places.belongs(to: 1001, at: 0) == [.unmake, .end(7), .make(8)])
    #expect(!places.has(7))
  }

  @Test func `a lock ends the device and its connection, and the next connection waits`() {
    var places = served()
    #expect(places.belongs(to: nil, at: 1) == [.unmake, .end(7)])
    #expect(places.arrive(8, of: 1000, at: 2) == [])
    #expect(places.belongs(to: 1000, at: 3) == [.make(8)])
  }

  @Test func `a user has one connection`() {
    var places = served()
    #expect(places.arrive(8, of: 1000, at: 0) == [.end(8)])
    #expect(places.served == 7)
    #expect(places.leave(7) == [.unmake, .end(7)])
    #expect(places.leave(7) == [])
  }

  @Test mutating func `who has no device has nothing to say`() {
    _ = places.arrive(7, of: 1000, at: 0)
    #expect(places.report(from: 7, at: 0) == [.end(7)])
    #expect(!places.has(7))
  }

  @Test mutating func `there is a place for whoever sits at the seat, also where others have taken all`() {
    _ = places.belongs(to: 1000, at: 0)
    for number in 0..<Int32(Places.limit) { #expect(places.arrive(100 + number, of: UInt32(5000 + number), at: 0) == []) }
    #expect(places.arrive(8, of: 6000, at: 0) == [.end(8)])
    #expect(places.arrive(9, of: 1000, at: 0) == [.end(163), .make(9)])
    #expect(places.connections.count == Places.limit)
  }

  @Test func `the user's reports pass 32 at once and one a millisecond`() {
    var places = served()
    for _ in 0..<32 {
      #expect(places.pause(of: 7, at: 0) == 0)
      #expect(places.report(from: 7, at: 0) == nil)
    }
    #expect(places.pause(of: 7, at: 0) == 1)
    #expect(places.pause(of: 7, at: 1) == 0)
  }

  @Test func `a flood from the node ends the device, and the next one comes later`() {
    var places = served()
    for _ in 0..<1_024 { #expect(places.news(at: 0) == []) }
    #expect(places.news(at: 1) == [])
    #expect(places.news(at: 1) == [.unmake, .end(7)])
    #expect(places.arrive(8, of: 1000, at: 10) == [])
    #expect(places.pause(at: 10) == 4_991)
    #expect(places.wake(at: 5_000) == [])
    #expect(places.wake(at: 5_001) == [.make(8)])
  }

  @Test mutating func `devices that are made one after the other are made more slowly, for that user alone`() {
    _ = places.belongs(to: 1000, at: 0)
    for number: Int32 in 1...4 {
      #expect(places.arrive(number, of: 1000, at: 0) == [.make(number)])
      _ = places.leave(number)
    }
    #expect(places.arrive(5, of: 1000, at: 0) == [])
    #expect(places.pause(at: 0) == 5_000)
    #expect(places.arrive(6, of: 1001, at: 0) == [])
    #expect(places.belongs(to: 1001, at: 1) == [.make(6)])
    #expect(places.pause(at: 1) == nil)
    #expect(places.belongs(to: 1000, at: 5_000) == [.unmake, .end(6), .make(5)])
  }
}
