import CLinux
import Glibc
import SignetFiles
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonService
@testable import DaemonAudit
@testable import SignetDaemon

@Suite struct HistoryTests {
  private let folder = try! TemporaryFolder()
  private let user: User
  private let history: History
  private var file: String { "\(folder.path)/users/\(geteuid())/history" }

  init() throws {
    user = try #require(User(uid: geteuid()))
    mkdir(folder.path + "/users", 0o700)
    mkdir("\(folder.path)/users/\(geteuid())", 0o700)
    history = try History(path: folder.path)
  }

  private func row(_ event: Event = .missed(strikes: 0), time: UInt64 = 1_795_240_800) -> EventRow {
    EventRow(time: time, event: event, requester: EventRequester(pid: 4711, uid: 1000, service: "sudo"))
  }

  private func add(_ counts: Range<Int>) throws {
    for count in counts { try history.append([row(.missed(strikes: count))], of: user) }
  }

  private var counts: [Int] {
    history.rows(of: user).rows.compactMap { if case .missed(let strikes) = $0.event { strikes } else { nil } }
  }

  private func contents() throws -> [UInt8] {
    let folder = try StateDirectory(path: "\(self.folder.path)/users/\(geteuid())", create: false)
    let bytes = try folder.read("history", limit: History.fileLimit)
    return try #require(bytes)
  }

  private func overwrite(_ bytes: [UInt8]) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  @Test func `rows come back as they were written, in their order`() throws {
    let rows = Event.samples.map { row($0) }
    try history.append(Array(rows.prefix(3)), of: user)
    try history.append(Array(rows.dropFirst(3)), of: user)
    #expect(Set(rows.map(\.event.kind)) == Set(Event.Kind.allCases))
    #expect(history.rows(of: user).rows == rows)
    #expect(history.rows(of: user).problem == nil)
  }

  @Test func `a clock that goes back two years changes no order`() throws {
    let times: [UInt64] = [1_795_240_800, 1_732_168_800, 1_795_240_801]
    for time in times { try history.append([row(time: time)], of: user) }
    #expect(history.rows(of: user).rows.map(\.time) == times)
  }

  @Test func `a file that is full makes room, and the one before it is shown first`() throws {
    let size = try HistoryRows.encode(row(), uid: user.uid, owner: user.name).count
    let perFile = History.fileLimit / size
    try add(0..<(perFile * 2 + 10))
    #expect(counts == Array(perFile..<(perFile * 2 + 10)))
    for name in [file, file + ".1"] {
      var status = stat()
      #expect(stat(name, &status) == 0)
      #expect(Int(status.st_size) <= History.fileLimit)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }

  @Test func `a tail that a crash tore at any byte is a gap, and what follows is read`() throws {
    try add(0..<2)
    let bytes = try contents()
    for cut in (bytes.count / 2 + 1)..<bytes.count {
      overwrite(Array(bytes.prefix(cut)))
      try add(7..<8)
      let rows = history.rows(of: user).rows
      #expect(
        rows.map(\.event) == [.missed(strikes: 0), .gap(cut - bytes.count / 2, .bytes), .missed(strikes: 7)], "cut at \(cut)")
    }
  }

  @Test func `a flipped bit anywhere costs its row alone`() throws {
    try add(0..<3)
    let bytes = try contents()
    let size = bytes.count / 3
    for bit in (size * 8)..<(size * 16) {
      var altered = bytes
      altered[bit / 8] ^= 1 << (bit % 8)
      let rows = HistoryRows.decode(altered, uid: user.uid, owner: user.name)
      #expect(rows.map(\.event) == [.missed(strikes: 0), .gap(size, .bytes), .missed(strikes: 2)], "bit \(bit)")
    }
  }

  @Test func `rows of another uid or a former name are not shown`() throws {
    let bytes = try HistoryRows.encode(row(), uid: 1000, owner: "alice")
    #expect(HistoryRows.decode(bytes, uid: 1000, owner: "alice").count == 1)
    #expect(HistoryRows.decode(bytes, uid: 1001, owner: "alice").isEmpty)
    #expect(HistoryRows.decode(bytes, uid: 1000, owner: "bob").isEmpty)
  }

  @Test func `random bytes, marks and lengths among them, are gaps`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var bytes = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
      for start in stride(from: 0, to: 600, by: 40) {
        bytes.replaceSubrange(start..<(start + 6), with: Array("SGev".utf8) + [20, 0])
      }
      let rows = HistoryRows.decode(bytes, uid: 1000, owner: "alice")
      #expect(rows.map(\.event) == [.gap(600, .bytes)])
    }
  }

  @Test func `a file over its limit is not read, and hides no other`() throws {
    try add(1..<2)
    #expect(rename(file, file + ".1") == 0)
    overwrite([UInt8](repeating: 0, count: History.fileLimit + 1))
    #expect(counts == [1])
    #expect(history.rows(of: user).problem?.code == EFBIG)
    // It makes room like any other.
    try add(2..<3)
    #expect(counts == [2])
  }

  @Test(arguments: ["link", "fifo", "folder", "writable"]) func `what is no file of ours is neither read nor written`(
    kind: String
  ) throws {
    let elsewhere = folder.path + "/elsewhere"
    switch kind {
    case "link": #expect(symlink(elsewhere, file) == 0)
    case "fifo": #expect(mkfifo(file, 0o600) == 0)
    case "folder": #expect(mkdir(file, 0o700) == 0)
    default:
      overwrite([])
      #expect(chmod(file, 0o620) == 0)
    }
    #expect(throws: SystemError.self) { try add(0..<1) }
    #expect(history.rows(of: user).problem != nil)
    #expect(access(elsewhere, F_OK) != 0)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a file away")) func `a file of another user is refused`() throws {
    try add(0..<1)
    #expect(chown(file, 12345, 12345) == 0)
    #expect(throws: SystemError.self) { try add(1..<2) }
    #expect(history.rows(of: user).problem == .foreignOwner(file, uid: 12345))
  }

  @Test func `a user without a folder has no history, and gets none`() throws {
    #expect(rmdir("\(folder.path)/users/\(geteuid())") == 0)
    try add(0..<1)
    #expect(history.rows(of: user).rows.isEmpty)
    #expect(history.rows(of: user).problem == nil)
    #expect(access("\(folder.path)/users/\(geteuid())", F_OK) != 0)
  }

  @Test func `what was announced before a reply is recorded before what follows it`() {
    let trail = AuditTrail(history: history)
    let requester = Requester(peer: Peer(pid: 4711, uid: 0), process: PeerProcess())
    trail.announce([.authenticated(.fingerprint, .leftThumb), .missed(strikes: 1)], of: user, by: requester)
    #expect(trail.rows(of: user).rows.isEmpty)
    trail.record(.lockRequested, of: user, by: requester)
    trail.flush()
    #expect(
      trail.rows(of: user).rows.map(\.event) == [.authenticated(.fingerprint, .leftThumb), .missed(strikes: 1), .lockRequested])
  }

  @Test func `a user without fingers is not told of every login`() {
    let trail = AuditTrail(history: history)
    let requester = Requester(peer: Peer(pid: 4711, uid: 0), process: PeerProcess())
    for verdict in [Verdict.biometryNotEnrolled, .userCancel] { trail.record(.ended(verdict), of: user, by: requester) }
    #expect(trail.rows(of: user).rows.map(\.event) == [.ended(.userCancel)])
  }

  @Test func `several threads lose no row`() async throws {
    let (history, user) = (history, user)
    let rows = (0..<200).map { row(.missed(strikes: $0)) }
    await withTaskGroup(of: Void.self) { group in
      for part in [rows[..<50], rows[50..<100], rows[100..<150], rows[150...]] {
        group.addTask { for row in part { try? history.append([row], of: user) } }
      }
    }
    #expect(counts.sorted() == Array(0..<200))
  }
}
