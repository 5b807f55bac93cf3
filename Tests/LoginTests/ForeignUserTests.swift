import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Requests of another user than the one signetd runs as.
@Suite(.enabled(if: geteuid() == 0, "needs root, to become another user"))
struct ForeignUserTests {
  private static let nobody: UInt32 = 65534
  private let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.daemon.write(
      "passcodes",
      "\(scene.daemon.user):\(RunningDaemon.passcode):signet-passcode\nnobody:nobody's horse:signet-passcode\n")
    // Its socket is for everybody; the test's folder was not.
    chmod(scene.daemon.folder, 0o711)
  }

  private func asNobody(_ request: String, _ word: String = "", passcode: String? = nil) throws -> [String] {
    let run = try HostRun.run(
      ["administer", scene.daemon.socket, "\(Self.nobody)", request, word], answers: passcode.map { [$0] } ?? [])
    #expect(run.step("broken") == nil, "\(run.step("broken")?.text ?? "")")
    return run.steps.compactMap(\.text)
  }

  /// root enrolls for nobody.
  private func enrollNobody() throws {
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
  }

  @Test func `root needs no passcode to enroll and delete, for anybody`() throws {
    let replies = try scene.enroll(.leftThumb, as: "nobody's", user: "nobody")
    #expect(replies.last == .done)
    #expect(!replies.contains(.askPasscode(.administration)))
    let client = try scene.daemon.connect()
    try client.send(.delete(user: "nobody", nil))
    #expect(try client.nextAdministration() == .done)
  }

  @Test func `the owner deletes with the passcode only`() throws {
    try enrollNobody()
    #expect(try asNobody("delete", passcode: "wrong").last?.contains("Refusal.passcodeFailed") == true)
    #expect(try asNobody("delete").last?.contains("Refusal.cancelled") == true)
    #expect(try asNobody("list").first?.contains("leftThumb") == true)
    #expect(
      try asNobody("delete", passcode: "nobody's horse") == [
        "askPasscode(SignetVocabulary.PasscodeReason.administration)", "done",
      ])
    #expect(try asNobody("list") == ["done"])
  }

  @Test func `the owner is asked for the passcode before a finger is enrolled`() throws {
    #expect(try asNobody("enroll", passcode: "wrong").last?.contains("passcodeFailed") == true)
    #expect(try asNobody("list") == ["done"])
  }

  @Test(arguments: ["enroll", "delete", "list", "status", "reset"])
  func `another user is refused, whoever is named`(request: String) throws {
    for name in [scene.daemon.user, "no-such-user"] {
      let replies = try asNobody(request, name, passcode: RunningDaemon.passcode)
      #expect(replies.count == 1)
      #expect(replies[0].contains(request == "reset" ? "Refusal.permissionDenied" : "Refusal.otherUser"), "\(replies)")
    }
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `nobody but root resets, not even their own strikes`() throws {
    #expect(try asNobody("reset").last?.contains("Refusal.permissionDenied") == true)
    #expect(try asNobody("reset", "nobody").last?.contains("Refusal.permissionDenied") == true)
  }

  @Test func `a login as another user is refused, and costs them nothing`() throws {
    let refused = try asNobody("authenticate", scene.daemon.user)
    #expect(refused == ["\(LoginClient.Reply.verdict(.invalidContext, .none, token: []))"])
    #expect(scene.daemon.strikesOnDisk == 0)
    try scene.daemon.awaitLog("asked to authenticate as another user")
  }

  @Test func `what somebody tries on another's account is in that history, and in no other`() throws {
    try enrollNobody()
    _ = try asNobody("authenticate", scene.daemon.user)
    try scene.daemon.awaitLog("asked to authenticate as another user")
    #expect(try asNobody("history", scene.daemon.user).last?.contains("Refusal.otherUser") == true)
    _ = try asNobody("reset", scene.daemon.user)
    try scene.daemon.awaitLog("request=reset")
    let client = try scene.daemon.connect()
    try client.send(.history(user: "", limit: 100))
    var rows: [EventRow] = []
    while case .event(let row) = try client.nextAdministration() { rows.append(row) }
    let refused = rows.filter { $0.event.kind == .refused }
    #expect(refused.map(\.event) == [.refused(.authenticate), .refused(.history), .refused(.reset)])
    #expect(refused.allSatisfy { $0.requester.uid == Self.nobody && $0.requester.pid != 0 })
    let own = try asNobody("history")
    #expect(own.count == 2 && own[0].contains("Event.enrolled") && own[1] == "done", "\(own)")
  }

  @Test func `sessions of another user are neither seen nor revoked`() throws {
    guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
    let client = try scene.daemon.connect()
    try client.openSession(token: token)
    #expect(try client.nextAdministration() == .done)
    #expect(try asNobody("sessions") == ["done"])
    let list = try scene.daemon.connect()
    try list.send(.sessions)
    guard case .session(let row) = try list.nextAdministration() else { throw TestKitError("no session") }
    #expect(try asNobody("revoke", row.identifier).last?.contains("Refusal.noSuchSession") == true)
    let again = try scene.daemon.connect()
    try again.send(.sessions)
    #expect(try again.nextAdministration() == .session(row))
  }
}
