import CPAM
import SignetTestKit
import SignetWire
import Testing

/// Runs the module against a script of signetd's side, in a host of its own without a terminal.
func run(
  _ script: [ScriptedDaemon.Step], options: String = "", service: String = "signet-test", answers: [String] = [],
  _ arguments: String...
) throws -> (host: HostRun, requests: [[UInt8]]) {
  let daemon = try ScriptedDaemon(script)
  let configuration = try PAMConfiguration().add(service, options: "socket=\(daemon.path) \(options)")
  var words = ["--service", service, "--confdir", configuration.path, "--state"]
  if !arguments.contains("--user") { words += ["--user", "alice"] }
  let host = try HostRun.run(words + arguments, answers: answers)
  let requests = try daemon.finish().first ?? []
  #expect(host.status == 0)
  #expect(host.step("state")?.differences == [])
  return (host, requests)
}

let token = [UInt8](1...32)

@Suite struct AuthenticationTests {
  @Test func `a finger that signetd accepts is a success`() throws {
    let (host, requests) = try run([
      .expect(.authenticate), .send(Packet.heartbeat), .send(Packet.show(.touchReader)),
      .send(Packet.success(.fingerprint, token: token)),
    ])
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts == ["Touch the fingerprint reader"])
    #expect(requests.count == 1)
  }
}
