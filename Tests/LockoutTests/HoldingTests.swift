import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What one user can do to the reader that another one wants.
@Suite struct HoldingTests {
  /// A login of root's and one of nobody's, whose reader a test plays.
  private func twoUsers() throws -> (scene: Scene, reader: ScriptedReader) {
    let scene = try Scene()
    guard try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done else { throw TestKitError("not enrolled") }
    return (scene, try ScriptedReader(scene))
  }

  private func begin(_ user: String, _ scene: Scene) throws -> LoginClient {
    let client = try scene.daemon.connect()
    try client.authenticate(user)
    return client
  }

  /// A match of the first user, whose finger then lies there.
  private func match(_ scene: Scene, _ reader: ScriptedReader) throws -> UInt32 {
    let client = try begin(scene.daemon.user, scene)
    let scan = try reader.awaitScan()
    try reader.send(.finger(operation: scan))
    try reader.send(.match(operation: scan, index: 0))
    guard try client.afterShowing().isSuccess else { throw TestKitError("no success") }
    return scan
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to act for another user"))
  func `after one user's match the reader is armed for another only once the finger is off`() throws {
    let (scene, reader) = try twoUsers()
    let scan = try match(scene, reader)
    let other = try begin("nobody", scene)
    #expect(try reader.nextScan(within: 500) == nil)
    try reader.send(.fingerOff(operation: scan))
    #expect(try reader.nextScan(within: waitingLimit) != nil)
    try other.awaitArmed()
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to act for another user"))
  func `where the reader does not tell, another user's scan waits for two seconds`() throws {
    let (scene, reader) = try twoUsers()
    _ = try match(scene, reader)
    let other = try begin("nobody", scene)
    #expect(try reader.nextScan(within: 1_000) == nil)
    try reader.awaitScan()
    try other.awaitArmed()
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to act for another user"))
  func `Enter while the finger before lies there asks for the passcode, and nothing is armed`() throws {
    let (scene, reader) = try twoUsers()
    _ = try match(scene, reader)
    let other = try begin("nobody", scene)
    #expect(try reader.nextScan(within: 200) == nil)
    try other.fallback()
    #expect(try other.afterShowing() == .askPasscode(.userFallback))
    #expect(scene.daemon.strikesOnDisk(of: getpwnam("nobody").pointee.pw_uid) == 0)
  }

  @Test func `the same user's next scan waits for nothing`() throws {
    let scene = try ReaderScene()
    let (first, scan) = try scene.login()
    try scene.reader.send(.finger(operation: scan))
    try scene.reader.send(.match(operation: scan, index: 0))
    #expect(try first.next().isSuccess)
    // The reader tells of no lift, for which another user's scan would wait: FingerTrace knows whose finger it was.
    _ = try scene.login()
  }

  @Test func `whoever lists readers without end is in nobody's way`() throws {
    let scene = try Scene()
    let list = "'\(try ReaderChannel.program("signet"))' readers --socket '\(scene.daemon.socket)'"
    let lister = try Program(["sh", "-c", "while :; do \(list) || exit 1; done"], environment: ["PATH=/usr/bin:/bin"])
    for _ in 1...20 {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      guard case .show(.touchReader, _, _) = try client.next() else { throw TestKitError("the reader is busy") }
      let list = try scene.daemon.connect()
      try list.send(.readers)
      guard case .reader(let reader) = try list.nextAdministration() else { throw TestKitError("no reader is listed") }
      #expect(reader.identifier == scene.reader.identifier)
      #expect(try list.nextAdministration() == .done)
      try scene.reader.scan("right")
      #expect(try client.next().isSuccess)
    }
    #expect(!ends(lister.pid, within: 0))
  }

  @Test func `a client that is stopped loses the reader long before its time is over, and pays nothing`() throws {
    let scene = try Scene()
    let stopped = try LoginHost(scene.daemon, options: "timeout=3600", answers: [""])
    try stopped.awaitPrompt()
    kill(stopped.pid, SIGSTOP)
    defer { kill(stopped.pid, SIGKILL) }
    let start = PAMHost.microseconds()
    while case .show(.readerBusy, _, _) = try begin(scene.daemon.user, scene).next() {
      guard PAMHost.microseconds() - start < 60_000_000 else { throw TestKitError("the reader stays busy") }
      _ = poll(nil, 0, 50)
    }
    try scene.daemon.awaitStrikes(0)
  }

  @Test func `a long time-out is cut to what the administrator allows`() throws {
    let scene = try Scene(configuration: "finger_timeout = 1s")
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, timeout: 3600)
    try client.awaitArmed()
    #expect(try client.next() == .show(.timedOut, value: 0, detail: ""))
  }

  @Test func `who has the reader chooses no words of another's prompt`() throws {
    let scene = try Scene()
    let first = try scene.daemon.connect()
    try first.authenticate(scene.daemon.user, service: "sudo. SECURITY: type your password at")
    try first.awaitArmed()
    #expect(try begin(scene.daemon.user, scene).next() == .show(.readerBusy, value: 0, detail: "another program"))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, in whose name sudo asks"))
  func `a service of root's own is named`() throws {
    let scene = try Scene()
    let first = try scene.daemon.connect()
    try first.authenticate(scene.daemon.user, service: "sudo")
    try first.awaitArmed()
    #expect(try begin(scene.daemon.user, scene).next() == .show(.readerBusy, value: 0, detail: "sudo"))
  }
}
