import DaemonConnections
import SignetAuthentication
import Testing

@testable import SignetDaemon

/// Who is served and who has to go, in tables of who came.
@Suite final class AdmissionTests {
  /// Of any rate, where a test is not about it.
  private static func unhurried() -> Admission {
    var limits = Admission.Limits.standard
    limits.rate = 0
    return Admission(limits)
  }

  private var admission = AdmissionTests.unhurried()

  /// So many connections of this source; those that were let in.
  private func come(_ count: Int, from source: RequestOrigin.Source, at now: Int64 = 0) -> [Admission.Entry] {
    (0..<count).compactMap { _ in admission.arrive(from: source, at: now) { _ in .busy } }
  }

  /// Every place is taken, by users with so many each.
  private func crowd(of each: Int) -> [UInt32: [UInt64]] {
    var numbers: [UInt32: [UInt64]] = [:]
    for uid: UInt32 in 0..<UInt32(128 / each) { numbers[uid] = come(each, from: .user(uid)).map(\.number) }
    return numbers
  }

  // MARK: a source's own places

  @Test(arguments: [(RequestOrigin.Source.user(1000), 16), (.user(0), 16), (.unknown, 16), (.service, 48)])
  func `a source has so many places, and four more for control`(source: RequestOrigin.Source, limit: Int) {
    let entries = come(100, from: source)
    #expect(entries.count == limit + 4)
    #expect(entries.map(\.isForControl) == [Bool](repeating: false, count: limit) + [Bool](repeating: true, count: 4))
    #expect(entries.allSatisfy { $0.displaced == nil })
  }

  @Test func `a place is free again when its connection is over`() {
    let entries = come(20, from: .user(1000))
    #expect(come(1, from: .user(1000)) == [])
    admission.leave(entries[19].number)
    #expect(come(2, from: .user(1000)).map(\.isForControl) == [true])
    admission.leave(entries[0].number)
    #expect(come(2, from: .user(1000)).map(\.isForControl) == [false])
  }

  @Test func `one user's full places are nobody else's`() {
    _ = come(64, from: .user(1000))
    #expect(come(64, from: .user(1001)).count == 20)
    #expect(come(64, from: .service).count == 52)
  }

  @Test func `nobody is there when all have left`() {
    for entry in come(30, from: .user(1000)) + come(30, from: .unknown) { admission.leave(entry.number) }
    #expect(admission.isEmpty)
  }

  // MARK: contexts that ask nothing

  /// One more of this user, where these connections are contexts that rest since a moment.
  private func come(
    from source: RequestOrigin.Source = .user(1000), at now: Int64, idle: [UInt64: Int64] = [:], holding: [UInt64: Int64] = [:]
  ) -> Admission.Entry? {
    admission.arrive(from: source, at: now) { number in
      if let since = idle[number] { return .idle(since: since) }
      return holding[number].map { .holding(since: $0) } ?? .busy
    }
  }

  @Test func `of a user's own full places a context that asks nothing goes, the longest first`() {
    let numbers = come(16, from: .user(1000)).map(\.number)
    let entry = come(at: 5_000, idle: [numbers[3]: 3_000, numbers[7]: 2_000])
    #expect(entry?.displaced == numbers[7] && entry?.isForControl == false)
    #expect(come(at: 5_000, idle: [numbers[3]: 3_000, numbers[7]: 2_000])?.displaced == numbers[3])
    #expect(come(at: 5_000)?.isForControl == true)
  }

  @Test func `a context that has asked within a second keeps its place, and for ten one that holds a proof`() {
    let numbers = come(16, from: .user(1000)).map(\.number)
    #expect(come(at: 5_000, idle: [numbers[3]: 4_001])?.isForControl == true)
    #expect(come(at: 15_000, holding: [numbers[3]: 5_001])?.isForControl == true)
    #expect(come(at: 15_000, holding: [numbers[3]: 5_000])?.displaced == numbers[3])
  }

  @Test func `one that holds a proof goes after one that does not`() {
    let numbers = come(16, from: .user(1000)).map(\.number)
    #expect(come(at: 20_000, idle: [numbers[5]: 18_000], holding: [numbers[3]: 5_000])?.displaced == numbers[5])
  }

  @Test func `another user's context goes where all places are taken, and a service's never`() {
    let services = come(48, from: .service).map(\.number)
    let others = (0..<5).flatMap { come(16, from: .user(2000 + $0)).map(\.number) }
    #expect(others.count == 80)
    #expect(come(at: 9_000, idle: [services[0]: 1_000, others[9]: 5_000])?.displaced == others[9])
  }

  // MARK: where all places are taken

  @Test func `a user who has no connection displaces the oldest of whoever has most`() {
    let numbers = crowd(of: 2)
    admission.leave(numbers[7]![0])
    let most = come(2, from: .user(9))
    #expect(come(1, from: .user(5000)).map(\.displaced) == [numbers[9]![0]])
    #expect(most.map(\.isForControl) == [false, true])
  }

  @Test func `a connection that waits for typing goes before an older one`() {
    let numbers = crowd(of: 16)
    let typing = numbers[3]![5]
    #expect(admission.arrive(from: .user(5000), at: 0) { $0 == typing ? .typing : .busy }?.displaced == typing)
  }

  @Test func `typing costs no place where others have more`() {
    _ = crowd(of: 2)
    let few = come(1, from: .user(5000)).map(\.number)
    #expect(admission.arrive(from: .user(5001), at: 0) { $0 == few[0] ? .typing : .busy }?.displaced != few[0])
  }

  @Test func `whoever has nothing gets in even where all others have one`() {
    let numbers = crowd(of: 1)
    #expect(come(1, from: .user(5000)).map(\.displaced) == [numbers[0]![0]])
  }

  @Test func `whoever has as many as the others displaces nobody, and has a place for control`() {
    _ = crowd(of: 2)
    let entries = come(3, from: .user(1))
    #expect(entries.allSatisfy { $0.isForControl && $0.displaced == nil })
  }

  @Test func `displacing ends: whoever comes again and again gets no more than an equal share`() {
    _ = crowd(of: 16)
    let entries = come(100, from: .user(5000))
    #expect(entries.filter { !$0.isForControl }.count == 14)
  }

  @Test func `services are let in, displace users, and are never displaced`() {
    _ = come(48, from: .service)
    for uid: UInt32 in 0..<80 { _ = come(1, from: .user(uid)) }
    let services = 1...48
    for uid: UInt32 in 100..<150 {
      guard let displaced = come(1, from: .user(uid)).first?.displaced else {
        Issue.record("user \(uid) is turned away")
        continue
      }
      #expect(!services.contains(Int(displaced)))
    }
    admission.leave(1)
    #expect(come(1, from: .user(400)).first?.displaced == nil)
    #expect(come(1, from: .service).first?.displaced != nil)
  }

  @Test func `control places are shared out in the same way`() {
    for uid: UInt32 in 0..<4 { #expect(come(20, from: .user(uid)).count == 20) }
    for uid: UInt32 in 10..<14 { _ = come(16, from: .user(uid)) }
    let entries = come(17, from: .user(5000)) + come(1, from: .service)
    #expect(entries.count == 18)
  }

  @Test func `those who were displaced are there until they have left, and not without bound`() {
    _ = crowd(of: 16)
    var displaced: [UInt64] = []
    for uid: UInt32 in 1000..<1200 { displaced += come(1, from: .user(uid)).compactMap(\.displaced) }
    #expect(displaced.count == Admission.leavingLimit)
    #expect(come(1, from: .user(5000)) == [])
    admission.leave(displaced[0])
    #expect(come(1, from: .user(5000)).count == 1)
  }

  // MARK: a rate

  @Test func `a hundred at once are let in, then twenty a second`() {
    admission = Admission()
    func connect(_ count: Int, at now: Int64) -> Int {
      (0..<count).count { _ in
        guard let entry = admission.arrive(from: .user(1000), at: now, use: { _ in .busy }) else { return false }
        admission.leave(entry.number)
        return true
      }
    }
    #expect(connect(200, at: 0) == 100)
    #expect(connect(200, at: 1_000) == 20)
    #expect(connect(200, at: 1_040) == 0)
    #expect(connect(200, at: 1_050) == 1)
    #expect(connect(200, at: 100_000) == 100)
  }

  @Test(arguments: [.service, .user(0)] as [RequestOrigin.Source])
  func `one user's flood slows nobody else, and services and root have no rate`(free: RequestOrigin.Source) {
    admission = Admission()
    for _ in 0..<1_000 { for entry in come(1, from: .user(33)) { admission.leave(entry.number) } }
    #expect(come(1, from: .user(1000)).count == 1)
    for _ in 0..<1_000 {
      let entries = come(1, from: free)
      #expect(entries.count == 1)
      admission.leave(entries[0].number)
    }
  }

  @Test func `whoever has used up their rate is known before anybody looks who it is`() {
    admission = Admission()
    #expect(!admission.isSpent(.user(33), at: 0))
    for _ in 0..<100 { for entry in come(1, from: .user(33), at: 0) { admission.leave(entry.number) } }
    #expect(admission.isSpent(.user(33), at: 0))
    #expect(!admission.isSpent(.user(1000), at: 0))
    #expect(!admission.isSpent(.user(33), at: 100))
  }

  @Test func `a clock that stands still or goes back brings nobody in`() {
    admission = Admission()
    for _ in 0..<100 { for entry in come(1, from: .user(33), at: 5_000) { admission.leave(entry.number) } }
    #expect(come(1, from: .user(33), at: 5_000) == [])
    #expect(come(1, from: .user(33), at: 0) == [])
  }
}

@Suite struct FloodReportTests {
  @Test func `the first is said at once, the others once a minute with their number`() {
    var report = FloodReport<Int>()
    #expect(report.add(33, at: 0) == true)
    for moment: Int64 in 1...500 { #expect(report.add(33, at: moment) == false) }
    #expect(report.due(at: 59_999).isEmpty)
    let due = report.due(at: 60_000)
    #expect(due.map(\.subject) == [33] && due.map(\.count) == [500])
    #expect(report.due(at: 60_001).isEmpty)
  }

  @Test func `whoever was quiet for a minute is news again`() {
    var report = FloodReport<Int>()
    _ = report.add(33, at: 0)
    #expect(!report.hasMore)
    #expect(report.due(at: 60_000).isEmpty)
    #expect(report.add(33, at: 60_000) == true)
    #expect(report.add(34, at: 60_000) == true)
  }

  @Test func `what was not said yet is said at the end`() {
    var report = FloodReport<Int>()
    for moment: Int64 in 0...3 { _ = report.add(33, at: moment) }
    #expect(report.hasMore)
    #expect(report.due(at: .max).map(\.count) == [3])
  }
}
