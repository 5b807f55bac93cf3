import CLinux
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The audit trail of real logins: the user's history, and what the journal gets.
@Suite struct HistoryTests {
  /// The rows that signetd gives the caller.
  private func history(_ daemon: RunningDaemon, of user: String = "", limit: UInt16 = 100) throws -> [EventRow] {
    let client = try daemon.connect()
    try client.send(.history(user: user, limit: limit))
    var rows: [EventRow] = []
    while case .event(let row) = try client.nextAdministration() { rows.append(row) }
    return rows
  }

  private func order(_ request: AdministrationRequest, _ daemon: RunningDaemon) throws {
    let client = try daemon.connect()
    try client.send(request)
    while true {
      switch try client.nextAdministration() {
      case .askPasscode: try client.answer(passcode: RunningDaemon.passcode)
      case .done: return
      case .refused(let refusal): throw TestKitError(refusal.words)
      default: continue
      }
    }
  }

  /// Root is not asked for a passcode to change fingers.
  private var owner: [Event] { geteuid() == 0 ? [] : [.passcodeVerified] }

  /// One login by the real module; returns once its last event is recorded, which is after the module is told.
  private func logIn(_ scene: Scene, _ fingers: [String], answers: [String] = [], until event: String) throws -> pid_t {
    let before = scene.daemon.loggedSoFar.components(event)
    let host = try LoginHost(
      scene.daemon, service: "sudo-test", options: "timeout=5", answers: answers, "--tty", "/dev/pts/77")
    let pid = host.pid
    _ = try host.finish(presenting: fingers, on: scene.reader)
    while scene.daemon.loggedSoFar.components(event) == before { try scene.daemon.awaitMoreLog() }
    return pid
  }

  @Test func `it tells what happened in its order, and who asked`() throws {
    let scene = try Scene()
    let first = try logIn(scene, ["right"], until: "token released")
    let second = try logIn(scene, ["wrong", "wrong", "wrong"], answers: ["wrong"], until: "ended without evidence")
    try order(.lock(user: ""), scene.daemon)
    let third = try logIn(scene, [], answers: [RunningDaemon.passcode], until: "token released")
    try order(.delete(user: "", .rightIndexFinger), scene.daemon)

    let rows = try history(scene.daemon)
    let sessions = rows.compactMap { if case .released(_, let session) = $0.event { session } else { nil } }
    try #require(sessions.count == 2)
    let expected: [(Event, pid_t)] =
      owner.map { ($0, getpid()) } + [(.enrolled(.rightIndexFinger), getpid())]
      + [(.authenticated(.fingerprint, .rightIndexFinger), first), (.released(.fingerprint, sessions[0]), first)]
      + [1, 2, 3].map { (.missed(strikes: $0), second) }
      + [(.wrongPasscode(count: 1, isCancelled: false), second), (.ended(.authenticationFailed), second)]
      + [(.lockRequested, getpid()), (.locked(.requested), third), (.passcodeVerified, third)]
      + [(.unlocked(strikes: 3), third), (.authenticated(.passcode, nil), third), (.released(.passcode, sessions[1]), third)]
      + owner.map { ($0, getpid()) } + [(.deleted(.rightIndexFinger), getpid())]
    #expect(rows.map(\.event) == expected.map(\.0))
    #expect(rows.map(\.requester.pid) == expected.map { UInt32($0.1) })
    #expect(rows.allSatisfy { $0.requester.uid == geteuid() })
    for row in rows where row.requester.pid != getpid() {
      #expect(row.requester.service == "sudo-test")
      #expect(row.requester.terminal == "/dev/pts/77")
      #expect(row.requester.program.hasSuffix("/pam-host"), "\(row.event)")
    }
    #expect(try history(scene.daemon, limit: 2) == rows.suffix(2))
  }

  @Test func `signet history says it in words`() throws {
    let scene = try Scene()
    _ = try logIn(scene, ["wrong", "right"], until: "token released")
    let lines = try Lines()
    let signet = try Program(
      [ReaderChannel.program("signet"), "history", "--lines", "3", "--socket", scene.daemon.socket],
      descriptors: [1: lines.writer])
    try lines.read(until: " released by finger")
    #expect(try signet.waitForExit() == 0)
    let words = lines.text.split(separator: "\n").map { $0.dropFirst("2026-11-21 06:00:00  ".count) }
    #expect(words.count == 4)
    #expect(words[1].hasPrefix("Finger not recognised: 1 strike  "))
    #expect(words[2].hasPrefix("Authenticated by finger, right-index-finger  sudo-test on /dev/pts/77: /"))
  }

  @Test func `what a client asks and does not wait for is recorded as well`() throws {
    let scene = try Scene()
    guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
    func closeAndLeave() throws { try scene.daemon.connect().closeSession(token: token) }
    try closeAndLeave()
    try scene.daemon.awaitLog("session closed")
    let rows = try history(scene.daemon).suffix(3)
    guard case .sessionClosed(let session) = rows.last?.event else { throw TestKitError("no session closed") }
    #expect(
      rows.map(\.event)
        == [.authenticated(.fingerprint, .rightIndexFinger), .released(.fingerprint, session), .sessionClosed(session)])
  }

  @Test func `it is kept through a restart, and a crash tears one row at most`() throws {
    let scene = try Scene()
    _ = try logIn(scene, ["right"], until: "token released")
    let before = try history(scene.daemon)
    try scene.restart(SIGKILL)
    #expect(try history(scene.daemon) == before)
    let file = scene.folder + "/history"
    try RawFile.overwrite(file, RawFile.read(file).dropLast(5))
    try order(.lock(user: ""), scene.daemon)
    #expect(try history(scene.daemon).map(\.event.kind) == before.dropLast().map(\.event.kind) + [.gap, .lockRequested])
  }

  @Test func `neither it nor the journal holds a passcode, a token or a template`() throws {
    let scene = try Scene(enrolls: false)
    let journal = try FakeJournal(path: scene.daemon.folder + "/journal")
    scene.daemon.end(SIGTERM)
    let signetd = try startWithJournal(scene, journal)
    try scene.daemon.enroll(.rightIndexFinger, as: "print-1f6b", on: scene.reader)
    guard case .verdict(.success, _, let token) = try scene.attempt("print-1f6b") else { throw TestKitError("no success") }
    let session = try scene.daemon.connect()
    try session.openSession(token: token)
    #expect(try session.nextAdministration() == .done)
    for passcode in ["wrong-horse-77", RunningDaemon.passcode] {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      try client.awaitArmed()
      try client.fallback()
      _ = try client.verdict(passcode: passcode)
    }
    let unknown = try scene.daemon.connect()
    // A passcode that was typed where the name is asked for: the oldest way for passwords to get into logs.
    try unknown.authenticate("wrong-horse-77")
    #expect(try unknown.verdict().verdict == .biometryNotEnrolled)
    signetd.signal(SIGTERM)
    #expect(try signetd.waitForExit() == 0)

    var entries: [[UInt8]] = []
    while case let entry = try journal.nextDatagram(within: 0), !entry.isEmpty { entries.append(entry) }
    let fields = try entries.map { try JournalFields.parse($0) }
    #expect(fields.contains { $0.contains { $0.name == "MESSAGE_ID" && $0.value == "8f767a65f1994fd79954af63918f7ab1" } })
    #expect(fields.contains { $0.contains { $0.name == "OBJECT_PID" && $0.value == "\(getpid())" } })
    let kept = try RawFile.read(scene.folder + "/history") + entries.joined()
    let digits = token.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    let secrets = ["wrong-horse-77", RunningDaemon.passcode, "horse", String(digits.prefix(8)), "print-1f6b", "FP3"]
    let text = String(decoding: kept, as: UTF8.self).lowercased()
    #expect(text.contains("right-index-finger") && text.contains("session opened"))
    for secret in secrets { #expect(!text.contains(secret.lowercased()), "\(secret)") }
    for start in 0..<(kept.count - 8) where kept[start] == token[0] {
      #expect(!kept[start..<(start + 8)].elementsEqual(token[..<8]))
    }
  }

  /// signetd with its log in `journal`, ready.
  private func startWithJournal(_ scene: Scene, _ journal: FakeJournal) throws -> Program {
    let signetd = try Program([
      ReaderChannel.program("signetd"), "--socket", scene.daemon.socket, "--state-dir", scene.daemon.stateDirectory,
      "--runtime-dir", scene.daemon.runtimeDirectory, "--config", scene.daemon.folder + "/signet.conf", "--journal",
      scene.daemon.folder + "/journal",
    ])
    while case let fields = try journal.next(), !fields.isEmpty {
      if fields.contains(where: { $0.name == "MESSAGE" && $0.value == "ready" }) { return signetd }
    }
    throw TestKitError("signetd is not ready")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount a small disk")) func `a full disk costs rows, and no login`() throws {
    let scene = try Scene(launcher: Scene.smallDisk)
    // On a disk that is full the next rows would still fit the last page of the file.
    #expect(unlink("/proc/\(scene.daemon.pid)/root\(scene.folder)/history") == 0)
    try scene.useUpFiles()
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.verdict(passcode: RunningDaemon.passcode).isSuccess)
    try scene.daemon.awaitLog("the history of \(scene.daemon.user) is not kept")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount /proc as signetd's unit has it"))
  func `in the sandbox of the unit it names who asked, without a path`() throws {
    let scene = try Scene(launcher: HistoryTests.sandbox)
    let pid = try logIn(scene, ["right"], until: "token released")
    let row = try history(scene.daemon).first { $0.event.kind == .authenticated }
    #expect(row?.requester.program == "pam-host")
    #expect(row?.requester.pid == UInt32(pid))
  }

  /// ProtectProc=invisible, CapabilityBoundingSet= and NoNewPrivileges= of signetd.service.
  private static let sandbox = [
    "unshare", "-m", "sh", "-c",
    "mount -t proc -o hidepid=invisible proc /proc && "
      + "exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all,+setuid,+setgid,+kill,+audit_write \"$@\"",
    "sh",
  ]

  @Test func `a long history is sent to a client that reads it late`() throws {
    let scene = try Scene()
    // Each row stands for itself, wherever in the file it is.
    let file = scene.folder + "/history"
    let others = try RawFile.read(file)
    try order(.lock(user: ""), scene.daemon)
    let row = try RawFile.read(file).dropFirst(others.count)
    try RawFile.overwrite(file, others + Array(repeatElement(row, count: 600).joined()))
    let client = try scene.daemon.connect()
    try client.send(.history(user: "", limit: .max))
    // By now signetd has written all that the socket takes.
    #expect(try history(scene.daemon, limit: 1).count == 1)
    var count = 0
    while case .event(let row) = try client.nextAdministration() { count += row.event == .lockRequested ? 1 : 0 }
    #expect(count == 600)
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
