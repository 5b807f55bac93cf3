import DaemonAccounts
import Foundation
import Glibc
import SignetTestKit
import SignetTokens
import SignetVocabulary
import SignetWire
import Testing

/// What the command line asks of signetd: the real one, with virtual readers, from root and from others.
@Suite struct AdministrationTests {
  /// Everything that signetd answers to a request of root's.
  private func ask(_ daemon: RunningDaemon, _ request: AdministrationRequest) throws -> [AdministrationReply] {
    let client = try daemon.connect()
    try client.send(request)
    var replies: [AdministrationReply] = []
    while true {
      let reply = try client.nextAdministration()
      replies.append(reply)
      switch reply {
      // Not of root.
      case .askPasscode: try client.answer(passcode: RunningDaemon.passcode)
      case .done, .refused: return replies
      default: continue
      }
    }
  }

  private func fingers(_ daemon: RunningDaemon, of user: String = "") throws -> [Finger] {
    try ask(daemon, .list(user: user)).compactMap { if case .finger(let row) = $0 { row.finger } else { nil } }
  }

  private func status(_ daemon: RunningDaemon) throws -> StatusRow {
    guard case .status(let row) = try ask(daemon, .status(user: ""))[0] else { throw TestKitError("no status") }
    return row
  }

  // MARK: Enrolling

  @Test func `a finger that is enrolled already is named, and not enrolled again`() throws {
    let scene = try Scene(.storage)
    #expect(
      try scene.enroll(.leftThumb, as: "right").last
        == .refused(.duplicateFinger(.rightIndexFinger)))
    #expect(try fingers(scene.daemon) == [.rightIndexFinger])
  }

  @Test func `enrolling a finger anew replaces it`() throws {
    let scene = try Scene()
    #expect(try scene.enroll(.rightIndexFinger, as: "new").last == .done)
    #expect(try fingers(scene.daemon) == [.rightIndexFinger])
    #expect(try scene.attempt("new").isSuccess)
    #expect(try scene.attempt("right") == .show(.notRecognised, value: 2, detail: ""))
  }

  @Test func `on a reader with its own store too`() throws {
    let scene = try Scene(.storage)
    #expect(try scene.enroll(.rightIndexFinger, as: "new").last == .done)
    #expect(try fingers(scene.daemon) == [.rightIndexFinger])
    #expect(try scene.attempt("new").isSuccess)
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    #expect(try scene.reader.stored() == ["new"])
  }

  @Test func `a full store is pruned of what nobody owns, and takes the finger then`() throws {
    let scene = try Scene(.storage)
    var touches = 0
    let replies = try scene.enroll(.leftThumb, as: "left") { reply in
      if case .show(.touchReader, _, _) = reply {
        touches += 1
        if touches == 1 { for number in 1...2 { try scene.reader.insert("left-over-\(number)") } }
      }
      guard reply == .enrollStage(completed: 0, of: 5, retry: nil), touches == 1 else { return false }
      // FP_DEVICE_ERROR_DATA_FULL
      try scene.reader.fail(8)
      return true
    }
    #expect(replies.last == .done, "\(replies)")
    #expect(touches == 2)
    try scene.daemon.awaitLog("prints without an owner removed")
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    #expect(try scene.reader.stored() == ["left", "right"])
    try scene.reader.scan("left")
    #expect(try client.next().isSuccess)
  }

  @Test func `of several readers one has to be named, and the login uses the one with the finger`() throws {
    let (one, other) = (try VirtualReader(.device), try VirtualReader(.storage))
    let daemon = try RunningDaemon(one, configuration: other.configuration)
    let readers = try ask(daemon, .readers).compactMap { if case .reader(let row) = $0 { row.identifier } else { nil } }
    #expect(readers.sorted() == [one.identifier, other.identifier].sorted())
    guard case .refused(let explanation) = try ask(daemon, .enroll(user: "", nil, reader: "")).last,
      explanation.code == .severalReaders
    else {
      Issue.record("enrolled on any reader")
      return
    }
    #expect(explanation.words.contains(one.identifier) && explanation.words.contains(other.identifier))
    let client = try daemon.connect()
    try client.send(.enroll(user: "", nil, reader: other.identifier))
    #expect(try client.followEnrolment(as: "right", on: other).last == .done)
    let login = try daemon.connect()
    try login.authenticate(daemon.user)
    try login.awaitArmed()
    try other.scan("right")
    #expect(try login.next().isSuccess)
  }

  // MARK: Status

  @Test func `the status counts strikes, and says what locks and the way out`() throws {
    let scene = try Scene()
    #expect(try status(scene.daemon).lock == .none)
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    try scene.reader.scan("wrong")
    #expect(try client.next() == .show(.notRecognised, value: 2, detail: ""))
    try client.cancel()
    #expect(try client.next().verdict == .userCancel)
    #expect(try status(scene.daemon).strikes == 1)
    unlink(scene.strikesFile)
    let row = try status(scene.daemon)
    #expect(row.lock == .stateUnusable)
    #expect(row.explanation == "\(scene.strikesFile) is missing. Log in with your passcode once to write it anew.")
    guard geteuid() == 0 else {
      // What needs root: clearing strikes.
      #expect(try ask(scene.daemon, .reset(user: "")) != [.done])
      return
    }
    #expect(try ask(scene.daemon, .reset(user: "")) == [.done])
    #expect(try status(scene.daemon).strikes == 0)
    #expect(try status(scene.daemon).lock == .none)
  }

  // MARK: Sessions

  /// A login by finger, and its token.
  private func token(_ scene: Scene) throws -> [UInt8] {
    guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
    return token
  }

  private func open(_ token: [UInt8], _ scene: Scene) throws -> AdministrationReply {
    let client = try scene.daemon.connect()
    try client.openSession(token: token)
    return try client.nextAdministration()
  }

  private func close(_ token: [UInt8], _ scene: Scene) throws -> AdministrationReply {
    let client = try scene.daemon.connect()
    try client.closeSession(token: token)
    return try client.nextAdministration()
  }

  private func sessions(_ scene: Scene) throws -> [SessionRow] {
    try ask(scene.daemon, .sessions).compactMap { if case .session(let row) = $0 { row } else { nil } }
  }

  private func isRefused(_ reply: AdministrationReply?, _ code: RefusalCode) -> Bool {
    if case .refused(let refusal) = reply { refusal.code == code } else { false }
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a session is listed until it is closed, across a restart of signetd`(signal: Int32) throws {
    let scene = try Scene()
    let token = try token(scene)
    #expect(try sessions(scene) == [])
    #expect(try open(token, scene) == .done)
    #expect(try sessions(scene).map(\.user) == [scene.daemon.user])
    let before = try sessions(scene)
    try scene.restart(signal)
    #expect(try sessions(scene) == before)
    #expect(try close(token, scene) == .done)
    #expect(try sessions(scene) == [])
    #expect(isRefused(try close(token, scene), .noSessionForToken))
    try scene.restart(signal)
    #expect(try sessions(scene) == [])
  }

  @Test func `a token opens one session, once`() throws {
    let scene = try Scene()
    let token = try token(scene)
    #expect(isRefused(try open([UInt8](repeating: 7, count: 32), scene), .noSessionForToken))
    #expect(try open(token, scene) == .done)
    #expect(isRefused(try open(token, scene), .noSessionForToken))
  }

  @Test func `a token that waits does not outlive signetd`() throws {
    let scene = try Scene()
    let token = try token(scene)
    try scene.restart(SIGKILL)
    #expect(isRefused(try open(token, scene), .noSessionForToken))
  }

  @Test func `a revoked session is gone at once, and its token worth nothing`() throws {
    let scene = try Scene()
    let token = try token(scene)
    #expect(try open(token, scene) == .done)
    let identifier = try #require(try sessions(scene).first?.identifier)
    #expect(isRefused(try ask(scene.daemon, .revokeSession(identifier: "00000000")).last, .noSuchSession))
    #expect(try ask(scene.daemon, .revokeSession(identifier: identifier)) == [.done])
    #expect(try sessions(scene) == [])
    #expect(isRefused(try open(token, scene), .noSessionForToken))
    #expect(isRefused(try close(token, scene), .noSessionForToken))
  }

  @Test func `a key that was not made for the token is refused, which is recorded, and stays as it is`() throws {
    let scene = try Scene()
    let key = try TokenKey.make(description: "somebody's secret")
    let client = try scene.daemon.connect()
    try client.openSession(token: token(scene), key: key)
    #expect(isRefused(try client.nextAdministration(), .foreignSessionKey))
    #expect(TokenKey.isAlive(key))
    #expect(try sessions(scene) == [])
    guard case .event(let row) = try ask(scene.daemon, .history(user: "", limit: 1)).first else { throw TestKitError("no row") }
    #expect(row.event == .refused(.openSession))
    try scene.daemon.awaitLog("session refused: foreignSessionKey")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, who sees everybody's sessions"))
  func `a list of a thousand sessions reaches a client that is slow to read it`() throws {
    let scene = try Scene(enrolls: false)
    scene.daemon.end(SIGTERM)
    for number in 1...1000 as ClosedRange<UInt32> {
      let session = Session(
        identifier: SessionName(number), digest: Array(repeating: UInt8(number & 255), count: 32), uid: 1000 + number / 50,
        user: "user-\(number / 50)", service: "login", terminal: "pts/\(number)", method: .passcode, since: UInt64(time(nil)),
        key: Int32(number))
      try RawFile.create("\(scene.daemon.runtimeDirectory)/sessions/\(session.identifier.text)", session.encoded())
    }
    try scene.daemon.start()
    let slow = try scene.daemon.connect()
    try slow.send(.sessions)
    // More than the socket holds: while it is read, signetd waits, and serves others.
    _ = try status(scene.daemon)
    var count = 0
    while case .session = try slow.nextAdministration() { count += 1 }
    #expect(count == 1000)
  }

  // MARK: Files and logs

  @Test func `under umask 000 no file of ours is writable by others`() throws {
    let scene = try Scene(launcher: ["sh", "-c", "umask 000; exec \"$@\"", "sh"])
    #expect(try open(token(scene), scene) == .done)
    for folder in [scene.daemon.stateDirectory, scene.daemon.runtimeDirectory] {
      let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
      #expect(!names.isEmpty)
      for name in names + ["."] {
        var status = stat()
        // A file that is being replaced has another name for a moment.
        guard lstat("\(folder)/\(name)", &status) == 0 else {
          #expect(errno == ENOENT, "\(name)")
          continue
        }
        // Others must not read templates and digests of tokens either.
        #expect(status.st_mode & 0o077 == 0, "\(folder)/\(name) has mode \(String(status.st_mode & 0o777, radix: 8))")
      }
    }
  }

  @Test func `logs hold no passcode, token or template`() throws {
    let scene = try Scene(enrolls: false)
    // The virtual reader's template is the name of the finger.
    try scene.daemon.enroll(.rightIndexFinger, as: "print-1f6b", on: scene.reader)
    guard case .verdict(.success, _, let token) = try scene.attempt("print-1f6b") else { throw TestKitError("no success") }
    #expect(try open(token, scene) == .done)
    var log = ""
    for passcode in ["wrong-horse-77", RunningDaemon.passcode] {
      let host = try LoginHost(scene.daemon, options: "debug timeout=5", answers: [passcode], "--log", "--credentials")
      log += try host.finish(presenting: ["wrong", "wrong", "wrong"], on: scene.reader).log.joined(separator: "\n")
    }
    try RawFile.overwrite(scene.templateFile, RawFile.read(scene.templateFile).dropLast())
    _ = try LoginHost(scene.daemon, answers: [""]).finish()
    try scene.daemon.awaitLog("left out")
    #expect(log.contains("asked signetd"))
    log += scene.daemon.loggedSoFar
    #expect(log.contains("wrong passcode") && log.contains("finger enrolled"))
    let digits = token.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    let secrets = ["wrong-horse-77", RunningDaemon.passcode, "horse", digits, String(digits.prefix(8)), "print-1f6b", "FP3"]
    for secret in secrets + ["\(token.prefix(4))"] { #expect(!log.lowercased().contains(secret.lowercased()), "\(secret)") }
  }
}
