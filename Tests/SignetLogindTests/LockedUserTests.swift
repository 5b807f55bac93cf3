import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// From logind's signal to the login of the user: the real signet-logind and the real signetd.
@Suite(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
struct LockedUserTests {
  private let bus: PrivateBus
  private let scene: Scene

  init() throws {
    bus = try PrivateBus()
    scene = try Scene(configuration: "lock_with_session = yes")
  }

  /// Logind, with a session of the user who runs the test.
  private func logind() throws -> BusPeer {
    let logind = try BusPeer(on: bus)
    try logind.does("session c1 \(geteuid())")
    try logind.does("own")
    return logind
  }

  private func listener(_ words: [String]? = nil, to scene: Scene? = nil) throws -> Talker {
    let words = try words ?? [ReaderChannel.program("signet-logind")]
    let socket = (scene ?? self.scene).daemon.socket
    let listener = try Talker(
      words + ["--bus", bus.address, "--socket", socket], environment: ["PATH=/usr/bin:/bin"], talksOn: 2)
    try listener.line(with: "listening to logind")
    return listener
  }

  private func lock() throws {
    let (logind, listener) = (try logind(), try listener())
    try logind.does("lock c1")
    try listener.line(with: "the passcode of \(scene.daemon.user) is required from now on")
  }

  private func status(_ scene: Scene? = nil) throws -> StatusRow {
    let client = try (scene ?? self.scene).daemon.connect()
    try client.send(.status(user: ""))
    guard case .status(let row) = try client.nextAdministration() else { throw TestKitError("no status") }
    return row
  }

  @Test func `a locked session's finger opens nothing until the passcode was used`() throws {
    #expect(try scene.attempt("right").isSuccess)
    try lock()
    #expect(try status().lock == .requested)
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.next() == .show(.locked, value: LockReason.requested.rawValue, detail: ""))
    #expect(try client.next() == .askPasscode(.lockout))
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess)
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a scan under way when the session is locked ends without its finger`() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    try lock()
    try? scene.reader.scan("right")
    #expect(try !client.verdict().isSuccess)
  }

  @Test func `a user without fingers is locked without harm`() throws {
    let client = try scene.daemon.connect()
    try client.send(.delete(user: "", nil))
    while try client.nextAdministration() != .done { try client.answer(passcode: RunningDaemon.passcode) }
    try lock()
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
  }

  // MARK: As the user whom signetd trusts with this

  /// A user whom the bus knows, by another name.
  private static let locker = 65_534
  private static let isPossible = geteuid() == 0

  /// signetd on a machine with a user signet-logind, and with this line in its configuration.
  private func machine(_ line: String) throws -> Scene {
    let scene = try Scene(configuration: line)
    let daemon = scene.daemon
    try daemon.write("passwd", "root:x:0:0::/root:/bin/sh\nsignet-logind:x:\(Self.locker):\(Self.locker)::/:/bin/false\n")
    chmod(daemon.folder, 0o711)
    daemon.launcher = [
      "unshare", "--mount", "sh", "-c", "mount --bind '\(daemon.folder)/passwd' /etc/passwd && exec \"$@\"", "sh",
    ]
    try scene.restart()
    return scene
  }

  /// What signet-logind, as its user, says of a lock.
  private func lockAsLocker(_ scene: Scene) throws -> String {
    // Where it was built its user may not look.
    let program = bus.folder + "/signet-logind"
    let copy = try Program(["cp", try ReaderChannel.program("signet-logind"), program], environment: ["PATH=/usr/bin:/bin"])
    guard try copy.waitForExit() == 0 else { throw TestKitError("cp") }
    let logind = try logind()
    let user = ["setpriv", "--reuid=\(Self.locker)", "--regid=\(Self.locker)", "--clear-groups"]
    let listener = try listener(user + [program], to: scene)
    try logind.does("lock c1")
    return try listener.line(with: "signet-logind")
  }

  @Test(.enabled(if: isPossible, "needs root, to become another user"))
  func `signet-logind locks other users, and has no right besides`() throws {
    let scene = try machine("lock_with_session = yes")
    #expect(try lockAsLocker(scene).contains("the passcode of root is required from now on"))
    #expect(try status(scene).lock == .requested)
    let reset = try HostRun.run(["administer", scene.daemon.socket, "\(Self.locker)", "reset", "root"])
    #expect(reset.steps.compactMap(\.text).first?.contains("Refusal.notForSessionLocker") == true)
    #expect(try status(scene).lock == .requested)
  }

  @Test(.enabled(if: isPossible, "needs root, to become another user"))
  func `where signet.conf says no it is a user like any other`() throws {
    let scene = try machine("lock_with_session = no")
    #expect(try lockAsLocker(scene).contains("root is not locked: refused: signetd takes this from root"))
    #expect(try status(scene).lock == .none)
  }
}
