import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// The kernel says who is at the other end, not the packet. A listener that is neither root's nor the caller's is not believed.
/// Requests in another user's name do nothing, and cost that user nothing.
@Suite(.enabled(if: geteuid() == 0, "needs root, to become another user"))
struct PeerTests {
  private static let nobody: UInt32 = 65534
  private let scene: Scene

  init() throws {
    scene = try Scene()
    chmod(scene.daemon.folder, 0o711)
  }

  private func asNobody(_ request: String, _ word: String = "", passcode: String? = nil) throws -> [String] {
    let run = try HostRun.run(
      ["administer", scene.daemon.socket, "\(Self.nobody)", request, word], answers: passcode.map { [$0] } ?? [])
    return run.steps.compactMap(\.text)
  }

  @Test func `nobody else can spend a user's strikes: fifty requests in another's name lock nothing`() throws {
    for _ in 1...50 {
      #expect(try asNobody("authenticate", scene.daemon.user).count == 1)
      #expect(scene.daemon.strikesOnDisk == 0)
    }
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a user who is locked cannot reset their own strikes, nor another's`() throws {
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
    try scene.lock()
    for name in ["", "nobody", scene.daemon.user] {
      #expect(try asNobody("reset", name).last?.contains("permissionDenied") == true)
    }
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }

  @Test func `wrong passcodes for enrolling and deleting add up, and none is looked at after the fifth`() throws {
    try scene.daemon.write("passcodes", "nobody:nobody's horse:signet-passcode\n")
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
    for request in ["enroll", "delete", "enroll", "delete", "enroll"] {
      #expect(try asNobody(request, passcode: "wrong").last?.contains("passcodeFailed") == true)
    }
    for request in ["enroll", "delete"] {
      let replies = try asNobody(request, passcode: "nobody's horse")
      #expect(replies.last?.contains("passcodeDelayed") == true, "\(replies)")
      #expect(!replies.contains { $0.contains("askPasscode") }, "\(replies)")
    }
    // Where services of the system ask, nobody has guessed.
    let login = try scene.daemon.connect()
    try login.authenticate("nobody")
    try login.awaitArmed()
    try login.fallback()
    #expect(try login.afterShowing() == .askPasscode(.userFallback))
    try login.answer(passcode: "nobody's horse")
    #expect(try login.verdict().isSuccess)
    #expect(try asNobody("delete", passcode: "nobody's horse").last?.contains("done") == true)
  }

  @Test func `an impostor's socket gets nothing from a locked user, and its success is not believed`() throws {
    try scene.lock()
    let impostor = try Impostor(uid: Self.nobody)
    let module = try ReaderChannel.program("libpam_signet.so")
    try scene.daemon.write("pam/forged", "auth required \(module) socket=\(impostor.path)\n")
    let run = try HostRun.run(
      ["--service", "forged", "--confdir", scene.daemon.confdir, "--user", scene.daemon.user], answers: [RunningDaemon.passcode])
    #expect(run.code == PAM_AUTHINFO_UNAVAIL)
    #expect(run.texts == [], "the passcode is asked for by nobody")
    #expect(scene.daemon.strikesOnDisk == 5)
  }

  /// A program of the caller may answer on a socket of its own. What it says only matters to the caller's own processes, whose
  /// memory it could write anyway, and means nothing to signetd.
  @Test func `a success that a forged signetd sends leaves no session and clears no strike`() throws {
    try scene.lock()
    let token = [UInt8](repeating: 7, count: FieldLimit.token)
    let forged = try ScriptedDaemon([.expect(.authenticate), .send(Packet.success(.fingerprint, token: token))])
    let module = try ReaderChannel.program("libpam_signet.so")
    try scene.daemon.write("pam/forged", "auth required \(module) socket=\(forged.path)\n")
    _ = try HostRun.run(["--service", "forged", "--confdir", scene.daemon.confdir, "--user", scene.daemon.user])
    _ = try forged.finish()
    let client = try scene.daemon.connect()
    try client.openSession(token: token)
    guard case .refused = try client.nextAdministration() else { throw TestKitError("a forged token opens a session") }
    #expect(scene.daemon.strikesOnDisk == 5)
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }

  @Test func `a packet that was recorded and is sent again opens nothing`() throws {
    guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
    let client = try scene.daemon.connect()
    try client.openSession(token: token)
    #expect(try client.nextAdministration() == .done)
    try scene.lock()
    let again = try scene.daemon.connect()
    try again.openSession(token: token)
    guard case .refused = try again.nextAdministration() else { throw TestKitError("a token opens two sessions") }
    #expect(scene.daemon.strikesOnDisk == 5)
  }
}
