import Testing

@testable import SignetDaemon

/// What is followed around signetd, and how often that is tried where it cannot be yet.
@Suite struct SurroundingsTests {
  @Test func `where there is nothing to follow that is tried once a second`() {
    var tries: [Int64] = []
    var surroundings = Surroundings()
    for now: Int64 in [5_000, 5_001, 5_999, 6_000, 6_900, 7_001] {
      surroundings.follow(devices: false, sessions: true, at: now) {
        tries.append(now)
        return nil
      }
    }
    #expect(tries == [5_000, 6_000, 7_001])
  }
}
