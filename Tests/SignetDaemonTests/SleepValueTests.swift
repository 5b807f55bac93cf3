import SignetFiles
import SignetVocabulary
import Testing

@testable import DaemonService
@testable import DaemonReaders
@testable import SignetDaemon

@Suite struct `time asleep` {
  private func reading(_ before: Int64, _ monotonic: Int64, _ after: Int64) -> TimeAsleep {
    TimeAsleep(bootBefore: before, monotonic: monotonic, bootAfter: after)
  }

  @Test func `two clocks that go on together are no sleep`() {
    #expect(!reading(900, 800, 900).hasGrown(since: reading(200, 100, 200)))
  }

  @Test func `a boot clock that went on alone for over a millisecond is a sleep`() {
    #expect(reading(1_000_901, 800, 1_000_901).hasGrown(since: reading(200, 100, 200)))
  }

  @Test func `two processors' clocks that differ a little are no sleep`() {
    #expect(!reading(1_000_900, 800, 1_000_900).hasGrown(since: reading(200, 100, 200)))
  }

  @Test func `a thread that waited while it read the clocks did not sleep`() {
    let calm = reading(200, 100, 200)
    #expect(!reading(900, 800, 9_000).hasGrown(since: calm))
    #expect(!reading(900, 5_000, 9_000).hasGrown(since: calm))
    #expect(!calm.hasGrown(since: reading(100, 50, 9_000)))
  }

  @Test func `the machine that runs this is awake`() {
    let before = TimeAsleep.now
    #expect(before.atLeast <= before.atMost)
    #expect(!TimeAsleep.now.hasGrown(since: before))
  }
}

@Suite struct `an announced sleep` {
  @Test func `holds until it is over`() {
    var suspension = Suspension()
    #expect(!suspension.holds(at: 5))
    suspension.suspend(at: 10)
    #expect(suspension.holds(at: 10))
    suspension.resume()
    #expect(!suspension.holds(at: 11))
  }

  @Test func `holds for a minute awake at most, where nobody says that it is over`() {
    var suspension = Suspension()
    suspension.suspend(at: 10)
    #expect(suspension.holds(at: 10 + 59_999))
    #expect(!suspension.holds(at: 10 + 60_000))
  }

  @Test func `that is announced again holds anew`() {
    var suspension = Suspension()
    suspension.suspend(at: 0)
    suspension.suspend(at: 50_000)
    #expect(suspension.holds(at: 70_000))
  }

  @Test func `keeps signetd from ending, which would forget it`() {
    let station = ReaderStation(path: "/bin/false", arguments: [])
    #expect(!station.isBusy)
    station.suspend()
    #expect(station.isBusy)
    guard case .asleep = station.claim(for: alice) else {
      Issue.record("readers were lent")
      return
    }
    station.resume()
    #expect(!station.isBusy)
  }

  @Test func `lends nothing to be started to who has the readers still`() throws {
    let station = ReaderStation(path: "/bin/cat", arguments: [])
    let claim = station.claim(for: alice)
    guard case .lease(let lease) = claim else { throw Surprise() }
    station.suspend()
    #expect(lease.recall == .sleep)
    #expect(throws: SystemError.self) { try lease.start() }
    lease.release()
  }

  private let alice = ReaderHolder(User(uid: 1000, name: "alice"), service: "sudo", by: Peer(pid: 1, uid: 0))

  private struct Surprise: Error {}
}
