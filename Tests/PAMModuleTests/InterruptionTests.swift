import CPAM
import Glibc
import SignetTestKit
import Testing

/// A finger is waited for until the client cancels.
let waiting: [ScriptedDaemon.Step] = [.expect(.authenticate), .send(Packet.heartbeat), touch, .wait, .expect(.cancel)]

@Suite struct InterruptionTests {
  @Test(arguments: ["ignore", "handle"])
  func `Ctrl-C cancels where the host takes it, and the host goes on`(disposition: String) throws {
    let (host, _) = try run(waiting, "--sigint", disposition, "--kill-after", "50000", "INT")
    #expect(host.code == PAM_AUTH_ERR)
    #expect((host.step("handled") != nil) == (disposition == "handle"))
  }

  @Test func `Ctrl-C cancels where the host blocks it, and stays pending for the host`() throws {
    let daemon = try ScriptedDaemon(waiting)
    let configuration = try PAMConfiguration().add("signet-test", options: "socket=\(daemon.path)")
    let host = try HostRun.run(
      ["--service", "signet-test", "--confdir", configuration.path, "--user", "alice", "--state"]
        + ["--sigint", "block", "--kill-after", "50000", "INT"])
    #expect(host.code == PAM_AUTH_ERR)
    #expect(host.step("state")?.differences == ["pendingSignals"], "\(host.step("state")?.descriptors ?? "")")
    try daemon.finish()
  }

  @Test func `a signal that was pending before does not cancel`() throws {
    let (host, _) = try run(
      [.expect(.authenticate), .send(Packet.heartbeat), touch, success], "--sigint", "block", "--pending")
    #expect(host.code == PAM_SUCCESS)
  }

  @Test(arguments: ["INT", "QUIT", "TERM", "HUP"])
  func `a signal that the host leaves alone ends it, after the cancel`(name: String) throws {
    let numbers = ["INT": SIGINT, "QUIT": SIGQUIT, "TERM": SIGTERM, "HUP": SIGHUP]
    let daemon = try ScriptedDaemon(waiting)
    let configuration = try PAMConfiguration().add("signet-test", options: "socket=\(daemon.path)")
    let host = try HostRun.run(
      ["--service", "signet-test", "--confdir", configuration.path, "--user", "alice", "--kill-after", "50000", name])
    #expect(host.status == -(numbers[name] ?? 0))
    #expect(host.step("authenticate") == nil)
    try daemon.finish()
  }

  @Test func `a signal during a message cancels after it`() throws {
    let (host, _) = try run(waiting, "--sigint", "ignore", "--kill", "INT")
    #expect(host.code == PAM_AUTH_ERR)
    #expect(host.texts.count == 1)
  }

  @Test func `a signal during the prompt is the host's own`() throws {
    let script: [ScriptedDaemon.Step] = [
      .expect(.authenticate), .send(Packet.heartbeat), .send(Packet.askPasscode(.misses)), .expect(.passcode),
      .send(Packet.success(.passcode, token: token)),
    ]
    let (host, _) = try run(script, answers: ["horse"], "--sigint", "handle", "--kill", "INT")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.step("handled") != nil)
  }
}
