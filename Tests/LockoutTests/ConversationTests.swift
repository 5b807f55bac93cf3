import CPAM
import Glibc
import SignetTestKit
import Testing

/// Conversations that fail, return nothing or lie, before the real module and the real signetd: of a locked user, for whom
/// the passcode is the only way, and of one whose finger is waited for.
@Suite struct ConversationTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func logIn(_ arguments: String..., answers: [String] = [], fingers: [String] = []) throws -> HostRun {
    try LoginHost(scene.daemon, answers: answers, arguments: arguments).finish(presenting: fingers, on: scene.reader)
  }

  /// What the conversation gives for the passcode.
  static let answers: [String] = [
    "nothing", "failure:\(PAM_CONV_ERR)", "failure:\(PAM_CONV_AGAIN)", "failure:\(PAM_BUF_ERR)", "failure:\(PAM_ABORT)",
    "failure:\(PAM_IGNORE)", "failure:99", "failure:-1", "long:511", "long:512", "long:513", "long:100000", "text:", "text:wrong",
  ]

  @Test func `no answer but the passcode lets a locked user in, or takes a strike away`() throws {
    try scene.lock()
    for answer in Self.answers {
      let run = try logIn("--answer", answer)
      #expect(run.code != PAM_SUCCESS, "\(answer)")
      #expect(run.code != PAM_IGNORE, "\(answer)")
      #expect(scene.daemon.strikesOnDisk == 5, "\(answer)")
    }
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }

  @Test func `a conversation that fails for messages ends the login, and buys no sixth look`() throws {
    for _ in 1...8 {
      // The message cannot be shown; the finger is on the reader all the same, and may be seen by the next login.
      #expect(try logIn("--message-code", "\(PAM_CONV_ERR)", fingers: ["wrong"]).code != PAM_SUCCESS)
    }
    #expect(scene.daemon.loggedSoFar.split(separator: "\n").count { $0.contains("not recognised") } <= 5)
  }

  @Test func `a user who changes while a locked user's passcode is asked for is not let in`() throws {
    try scene.lock()
    for name in ["nobody", "daemon", "no-such-user", "", "\(scene.daemon.user)x"] {
      let run = try logIn("--change-user", name, answers: [RunningDaemon.passcode])
      #expect(run.code != PAM_SUCCESS, "\(name)")
      #expect(scene.daemon.strikesOnDisk == 5, "the passcode was not even sent")
    }
  }

  @Test func `a user who changes while a finger is waited for is not let in by it`() throws {
    for name in ["nobody", "no-such-user", "\(scene.daemon.user) "] {
      let run = try logIn("--change-user", name, fingers: ["right"])
      #expect(run.code != PAM_SUCCESS, "\(name)")
      #expect(run.step("authenticate")?.user != scene.daemon.user)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to act for another user"))
  func `a user who changes to a locked one does not borrow the first one's finger`() throws {
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
    try scene.lock()
    let host = try LoginHost(scene.daemon, user: "nobody", "--change-user", scene.daemon.user)
    let run = try host.finish(presenting: ["nobody's"], on: scene.reader)
    #expect(run.code != PAM_SUCCESS)
    #expect(scene.daemon.strikesOnDisk == 5)
  }

  @Test func `a conversation that never answers holds nobody else up, and locks nothing`() throws {
    try scene.lock()
    let silent = try LoginHost(scene.daemon, service: "silent", answers: ["late"], "--answer-delay", "60000000")
    try silent.awaitMessage("Password")
    let run = try logIn(answers: [RunningDaemon.passcode])
    #expect(run.code == PAM_SUCCESS)
    // The other one is still asked.
    #expect(!ends(silent.pid, within: 0))
  }
}
