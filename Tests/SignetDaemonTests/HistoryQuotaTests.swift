import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonAudit
@testable import DaemonService

/// What anybody may cause as often as they like, and how many rows of a history that takes.
@Suite struct HistoryQuotaTests {
  private static let start: UInt64 = 1_795_240_800
  private let folder = try! TemporaryFolder()
  private let owner = User(uid: 1000, name: "alice")
  private let history: History

  init() throws {
    mkdir(folder.path + "/users", 0o700)
    mkdir("\(folder.path)/users/1000", 0o700)
    history = try History(path: folder.path)
  }

  private func row(_ event: Event, by asker: UInt32, at time: UInt64 = start) -> EventRow {
    EventRow(time: time, event: event, requester: EventRequester(pid: 4711, uid: 0, loginUser: asker, service: "su"))
  }

  private func add(_ event: Event, by asker: UInt32, times: Int = 1, to history: History? = nil) throws {
    for _ in 0..<times { try (history ?? self.history).append([row(event, by: asker)], of: owner) }
  }

  private func events(by asker: UInt32, in history: History? = nil) -> [Event] {
    (history ?? self.history).rows(of: owner).rows.filter { $0.requester.asker == asker }.map(\.event)
  }

  /// The rows of a stranger who did something so many times over the quota.
  private func rows(_ event: Event, more: Int) -> [Event] {
    Array(repeating: event, count: HistoryQuota.ofStrangers.ofKind) + [.repeated(event.kind, count: more)]
  }

  @Test func `what a stranger did often hides nothing else that they do`() throws {
    try add(.missed(strikes: 1), by: 1000)
    try add(.refused(.history), by: 2000, times: 120)
    try add(.ended(.userCancel), by: 2000)
    #expect(events(by: 2000) == rows(.refused(.history), more: 100) + [.ended(.userCancel)])
    #expect(events(by: 1000) == [.missed(strikes: 1)])
  }

  @Test func `fifty strangers hide nothing of each other, nor of what the owner did before`() throws {
    let strangers = 2000..<2050 as Range<UInt32>
    for event in [.strikeGivenBack(strikes: 0), .ended(.authenticationFailed), .released(.passcode, SessionName(1))] as [Event] {
      try add(event, by: 1000)
    }
    let before = events(by: 1000)
    for stranger in strangers { try add(.refused(.history), by: stranger, times: 120) }
    for stranger in strangers {
      try add(.ended(.userCancel), by: stranger)
      #expect(events(by: stranger).last == .ended(.userCancel))
      #expect(events(by: stranger).first == .refused(.history))
    }
    #expect(events(by: 1000) == before)
  }

  @Test func `all strangers together do not fill the files in a day`() throws {
    try add(.missed(strikes: 1), by: 1000)
    for stranger in 2000..<4000 as Range<UInt32> {
      try add(.refused(.history), by: stranger, times: 2)
      try add(.ended(.userCancel), by: stranger)
    }
    let rows = history.rows(of: owner).rows
    #expect(rows.count <= 1 + HistoryQuota.ofStrangers.firsts + HistoryQuota.gaps)
    #expect(rows.first?.event == .missed(strikes: 1))
    guard case .gap(let count, .events) = rows.last?.event else { throw TestKitError("no gap: \(String(describing: rows.last))") }
    #expect(count >= 1000)
  }

  @Test func `names that a stranger chose do not make the files smaller`() throws {
    let name = String(repeating: "x", count: FieldLimit.name)
    let requester = EventRequester(
      pid: .max, uid: 0, loginUser: 2000, session: 7, program: String(repeating: "/x", count: 120), service: name, terminal: name)
    try history.append([EventRow(time: 1, event: .refused(.history), requester: requester)], of: owner)
    let row = try #require(history.rows(of: owner).rows.first)
    #expect(try HistoryRows.encode(row, uid: 1000, owner: owner.name).count <= 256)
  }

  @Test func `passcodes, misses, tokens and fingers always have a row`() throws {
    let events: [Event] = [
      .wrongPasscode(count: 1, isCancelled: false), .passcodeVerified, .missed(strikes: 1), .strikeKept(strikes: 1),
      .enrolled(.leftThumb), .deleted(.leftThumb), .released(.passcode, SessionName(1)), .unlocked(strikes: 1),
    ]
    for event in events { try add(event, by: 2000, times: 20) }
    #expect(self.events(by: 2000).count == 20 * events.count)
  }

  @Test func `a signetd that is started anew goes on counting`() throws {
    try add(.refused(.history), by: 2000, times: 15)
    history.close()
    #expect(events(by: 2000) == rows(.refused(.history), more: 11))
    let again = try History(path: folder.path)
    try add(.refused(.history), by: 2000, times: 90, to: again)
    #expect(events(by: 2000, in: again) == rows(.refused(.history), more: 100))
    again.close()
    #expect(events(by: 2000, in: again) == rows(.refused(.history), more: 101))
    again.close()
    #expect(try History(path: folder.path).rows(of: owner).rows == again.rows(of: owner).rows)
  }

  @Test func `the owner's own programs push out nothing of others`() throws {
    try add(.refused(.history), by: 2000)
    try add(.itemReleased(.none), by: 1000, times: 5000)
    try add(.lockRequested, by: 1000, times: 5000)
    try add(.authenticated(.fingerprint, nil), by: 1000, times: 5000)
    #expect(events(by: 2000) == [.refused(.history)])
    #expect(events(by: 1000).count == 3 * (HistoryQuota.ofOwner.ofKind + 1))
  }

  @Test func `whoever became root without logging in anew is still who logged in`() {
    #expect(EventRequester(uid: 0, loginUser: 1000).asker == 1000)
    #expect(EventRequester(uid: 33).asker == 33)
  }

  @Test func `a day later the same is told again, also after a clock was set back`() {
    let limit = HistoryQuota.ofStrangers.ofKind
    for start in [HistoryQuotaTests.start, 1_700_000_000] as [UInt64] {
      var quota = HistoryQuota(owner: 1000, (0..<limit).map { _ in row(.refused(.reset), by: 2000) })
      #expect(quota.admit([row(.refused(.reset), by: 2000, at: start)]).map(\.event) == [.repeated(.refused, count: 1)])
      #expect(quota.admit([row(.refused(.reset), by: 2000, at: start + HistoryQuota.window - 1)]).isEmpty)
      #expect(
        quota.admit([row(.refused(.reset), by: 2000, at: start + HistoryQuota.window)]).map(\.event) == [.refused(.reset)])
    }
  }
}
