import CPAM
import Glibc
import SignetTestKit
import Testing

/// A process that is stopped (SIGSTOP), as against dead, keeps its sockets open and says nothing. The user is at a passcode
/// prompt, Signet's or the next module's, within a second all the same.
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

  /// How long it takes from now until the host asks this, in milliseconds.
  private func milliseconds(until question: String, of host: LoginHost) throws -> Int64 {
    try elapsed { try host.awaitMessage(question) }
  }

  private func expectWithinASecond(_ attempt: (StoppedProcessTests) throws -> Int64) throws {
    #expect(try quickest(under: 1000) { try attempt(StoppedProcessTests()) } < 1000)
  }

  @Test func `signetd stopped before`() throws {
    try expectWithinASecond { test in
      kill(test.scene.daemon.pid, SIGSTOP)
      let host = try test.login()
      let time = try test.milliseconds(until: "Password", of: host)
      #expect(try host.finish().code == PAM_SUCCESS)
      return time
    }
  }

  @Test func `signetd stopped during a scan`() throws {
    try expectWithinASecond { test in
      let host = try test.login()
      try host.awaitPrompt()
      kill(test.scene.daemon.pid, SIGSTOP)
      let time = try test.milliseconds(until: "Password", of: host)
      #expect(try host.finish().code == PAM_SUCCESS)
      return time
    }
  }

  @Test func `signetd stopped while it checks a passcode`() throws {
    try expectWithinASecond { test in
      try test.scene.holdPasscodeChecks()
      let host = try test.login(answers: [RunningDaemon.passcode, nextPassword])
      for _ in 0..<3 {
        while let message = try host.nextMessage(), !message.asksForFinger {}
        try test.scene.reader.scan("wrong")
      }
      try host.awaitMessage("Password")
      try test.scene.checking?.awaitArrival()
      kill(test.scene.daemon.pid, SIGSTOP)
      let time = try test.milliseconds(until: "Password", of: host)
      #expect(try host.finish().code == PAM_SUCCESS)
      return time
    }
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
    try expectWithinASecond { test in
      try test.scene.signal(SIGSTOP, to: "signet-reader")
      let host = try test.login()
      let time = try elapsed { try host.awaitPrompt() }
      try test.scene.reader.scan("right")
      #expect(try host.finish().code == PAM_SUCCESS)
      return time
    }
  }

  @Test func `signet-reader stopped while it opens a reader`() throws {
    try expectWithinASecond { test in
      try test.scene.replace("signet-reader", by: "kill -STOP $$")
      let host = try test.login(answers: [RunningDaemon.passcode])
      let time = try test.milliseconds(until: "Password", of: host)
      #expect(try host.finish().code == PAM_SUCCESS)
      return time
    }
  }

  @Test func `signet-reader stopped during a scan`() throws {
    try expectWithinASecond { test in
      let host = try test.login(answers: [RunningDaemon.passcode])
      try host.awaitPrompt()
      try test.scene.signal(SIGSTOP, to: "signet-reader")
      let time = try test.milliseconds(until: "Password", of: host)
      #expect(try host.finish().code == PAM_SUCCESS)
      // And the next login has a reader again.
      let next = try test.login(answers: [RunningDaemon.passcode])
      try next.awaitPrompt()
      try test.scene.reader.scan("right")
      #expect(try next.finish().code == PAM_SUCCESS)
      return time
    }
  }

  @Test func `signet-passcode stopped while it checks`() throws {
    try expectWithinASecond { test in
      try test.scene.holdPasscodeChecks()
      let host = try test.login(answers: [RunningDaemon.passcode, nextPassword])
      for _ in 0..<3 {
        while let message = try host.nextMessage(), !message.asksForFinger {}
        try test.scene.reader.scan("wrong")
      }
      try test.scene.checking?.awaitArrival()
      try test.scene.signal(SIGSTOP, to: "signet-passcode")
      let time = try test.milliseconds(until: "Password", of: host)
      #expect(try host.finish().code == PAM_SUCCESS)
      return time
    }
  }
}

private let nextPassword = "another horse"
