import CPAM
import Glibc
import SignetTestKit
import Testing

/// A process that is stopped (SIGSTOP), as against dead, keeps its sockets open and says nothing. The user comes to a
/// passcode prompt, Signet's or the next module's, all the same: nothing that is stopped here ever goes on by itself. That it takes less
/// than a second is measured by `make bench`, and shown of the module by WaitingTests.
@Suite(.serialized) struct StoppedProcessTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// A login whose stack goes on to a module that asks for a password of its own where Signet is unavailable.
  private func login(answers: [String] = [nextPassword]) throws -> LoginHost {
    try scene.daemon.write("next", "\(scene.daemon.user):\(nextPassword):signet-test\n")
    return try LoginHost(
      scene.daemon, control: "sufficient", next: ["auth required \(RunningDaemon.matrix) passdb=\(scene.daemon.folder)/next"],
      answers: answers)
  }

  @Test func `signetd stopped before`() throws {
    kill(scene.daemon.pid, SIGSTOP)
    let host = try login()
    try host.awaitMessage("Password")
    #expect(try host.finish().code == PAM_SUCCESS)
  }

  @Test func `signetd stopped during a scan`() throws {
    let host = try login()
    try host.awaitPrompt()
    kill(scene.daemon.pid, SIGSTOP)
    try host.awaitMessage("Password")
    #expect(try host.finish().code == PAM_SUCCESS)
  }

  @Test func `signetd stopped while it checks a passcode`() throws {
    try scene.holdPasscodeChecks()
    let host = try login(answers: [RunningDaemon.passcode, nextPassword])
    for _ in 0..<3 {
      while let message = try host.nextMessage(), !message.asksForFinger {}
      try scene.reader.scan("wrong")
    }
    try host.awaitMessage("Password")
    try scene.checking?.awaitArrival()
    kill(scene.daemon.pid, SIGSTOP)
    try host.awaitMessage("Password")
    #expect(try host.finish().code == PAM_SUCCESS)
  }

  @Test func `a stopped signetd that goes on has charged the strike`() throws {
    let host = try login()
    try host.awaitPrompt()
    kill(scene.daemon.pid, SIGSTOP)
    try host.awaitMessage("Password")
    #expect(scene.daemon.strikesOnDisk == 1)
    // The finger comes too late, for a login that has given up.
    kill(scene.daemon.pid, SIGCONT)
    #expect(try host.finish().code == PAM_SUCCESS)
  }

  @Test func `signet-reader stopped before is replaced`() throws {
    try scene.signal(SIGSTOP, to: "signet-reader")
    let host = try login()
    try host.awaitPrompt()
    try scene.reader.scan("right")
    #expect(try host.finish().code == PAM_SUCCESS)
  }

  @Test func `signet-reader stopped while it opens a reader`() throws {
    try scene.replace("signet-reader", by: "kill -STOP $$")
    let host = try login(answers: [RunningDaemon.passcode])
    try host.awaitMessage("Password")
    #expect(try host.finish().code == PAM_SUCCESS)
  }

  @Test func `signet-reader stopped during a scan`() throws {
    let host = try login(answers: [RunningDaemon.passcode])
    try host.awaitPrompt()
    try scene.signal(SIGSTOP, to: "signet-reader")
    try host.awaitMessage("Password")
    #expect(try host.finish().code == PAM_SUCCESS)
    // And the next login has a reader again.
    let next = try login(answers: [RunningDaemon.passcode])
    try next.awaitPrompt()
    try scene.reader.scan("right")
    #expect(try next.finish().code == PAM_SUCCESS)
  }

  @Test func `signet-passcode stopped while it checks`() throws {
    try scene.holdPasscodeChecks()
    let host = try login(answers: [RunningDaemon.passcode, nextPassword])
    for _ in 0..<3 {
      while let message = try host.nextMessage(), !message.asksForFinger {}
      try scene.reader.scan("wrong")
    }
    try scene.checking?.awaitArrival()
    try scene.signal(SIGSTOP, to: "signet-passcode")
    try host.awaitMessage("Password")
    #expect(try host.finish().code == PAM_SUCCESS)
  }
}

private let nextPassword = "another horse"
