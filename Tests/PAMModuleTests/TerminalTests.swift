import CPAM
import Glibc
import SignetTestKit
import Testing

/// pam-host in a shell on a terminal of its own: `before`, then pam-host and `suffix`, then `then`.
private func host(
  _ daemon: ScriptedDaemon, _ moduleOptions: String = "", answers: [String] = [], options: String = "",
  before: String = ":", suffix: String = "", then: String = ":"
) throws -> (terminal: PseudoTerminal, configuration: PAMConfiguration) {
  let configuration = try PAMConfiguration().add("signet-test", options: "socket=\(daemon.path) \(moduleOptions)")
  let program = try ReaderChannel.program("pam-host")
  var words = "\(program) --service signet-test --confdir \(configuration.path) --user alice --print --state \(options)"
  if !answers.isEmpty { words += " --answers" }
  let secrets = try HostRun.answersDescriptor(answers)
  defer { close(secrets) }
  let terminal = try PseudoTerminal(
    ["sh", "-c", "\(before); \(words) \(suffix); \(then)"], inherited: [3: secrets])
  return (terminal, configuration)
}

@Suite struct TerminalTests {
  @Test func `what is typed is not shown, and does not reach the shell`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.heartbeat), touch, .drip(Packet.heartbeat, 100)])
    let (terminal, configuration) = try host(daemon, "timeout=1", then: "IFS= read -r line; echo \"shell read <$line>\"")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "Touch the fingerprint reader (press Enter for the passcode)")
    #expect(!terminal.echoes)
    terminal.type("hunter2")
    try terminal.read(until: "\"code\":\(PAM_AUTHINFO_UNAVAIL)")
    #expect(terminal.echoes)
    terminal.type("ls\n")
    try terminal.read(until: "shell read <ls>")
    #expect(!terminal.screen.contains("hunter2"))
    #expect(try terminal.waitForExit() == 0)
    _ = try daemon.finish()
  }

  @Test(arguments: ["\n", "\u{4}", "hunter2\n"])
  func `the Enter key and Ctrl-D ask for the passcode, once`(keys: String) throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.heartbeat), touch, .wait, .expect(.fallback), .send(Packet.askPasscode(.userFallback)),
      .expect(.passcode), .send(Packet.success(.passcode, token: token)),
    ])
    let (terminal, configuration) = try host(daemon, answers: ["horse"])
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "passcode)")
    terminal.type(keys + keys)
    try terminal.read(until: "\"code\":\(PAM_SUCCESS)")
    #expect(!terminal.screen.contains("hunter2"))
    #expect(try terminal.waitForExit() == 0)
    try daemon.finish()
  }

  @Test func `the terminal is whole again at the passcode prompt`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.heartbeat), touch, .send(Packet.askPasscode(.misses)), .expect(.cancel),
    ])
    let (terminal, configuration) = try host(daemon, options: "--settings-at-prompt")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "\"prompt_echo\":true")
    try terminal.read(until: "\"code\":\(PAM_CONV_ERR)")
    #expect(terminal.echoes)
    try daemon.finish()
  }

  @Test func `Ctrl-C at the terminal cancels and leaves it whole`() throws {
    let daemon = try ScriptedDaemon(waiting)
    let (terminal, configuration) = try host(daemon, options: "--sigint ignore", before: "trap : INT")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "passcode)")
    terminal.type("x\u{3}")
    try terminal.read(until: "\"code\":\(PAM_AUTH_ERR)")
    #expect(terminal.echoes)
    #expect(try terminal.waitForExit() == 0)
    try daemon.finish()
  }

  @Test func `Ctrl-C ends a host that leaves it alone, and leaves the terminal whole`() throws {
    let daemon = try ScriptedDaemon(waiting)
    let (terminal, configuration) = try host(daemon, before: "trap : INT", then: "stty -a")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "passcode)")
    terminal.type("\u{3}")
    try terminal.read(until: " echo ")
    #expect(terminal.echoes)
    try daemon.finish()
  }

  @Test func `Ctrl-Z stops the host with a whole terminal, and fg goes on waiting`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.heartbeat), touch, .wait, .expect(.fallback), .send(Packet.refusal(.userFallback)),
    ])
    let (terminal, configuration) = try host(daemon, before: "set -m", then: "echo stopped; read -r line; fg; echo back")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "passcode)")
    terminal.type("\u{1A}")
    try terminal.read(until: "stopped")
    #expect(terminal.echoes)
    terminal.type("on\n")
    try terminal.read(until: "pam-host")
    try terminal.wait { !$0.echoes }
    terminal.type("\n")
    try terminal.read(until: "\"code\":\(PAM_AUTHINFO_UNAVAIL)")
    try terminal.read(until: "back")
    #expect(terminal.echoes)
    try daemon.finish()
  }

  @Test func `a host in the background leaves the terminal alone`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.heartbeat), touch, .send(Packet.show(.timedOut)), success,
    ])
    let (terminal, configuration) = try host(daemon, before: "set -m", suffix: "& wait $!")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "Touch the fingerprint reader\"")
    try terminal.read(until: "\"code\":\(PAM_SUCCESS)")
    try daemon.finish()
  }

  @Test func `a closed window cancels`() throws {
    let daemon = try ScriptedDaemon(waiting)
    let (terminal, configuration) = try host(daemon)
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "passcode)")
    terminal.hangUp()
    try daemon.finish()
  }

  @Test func `where keys come one by one, Enter asks for the passcode and others do not`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.heartbeat), touch, .wait, .expect(.fallback), .send(Packet.refusal(.userFallback)),
    ])
    let (terminal, configuration) = try host(daemon, before: "stty -icanon", then: "stty -a")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "passcode)")
    terminal.type("abc")
    terminal.type("\r")
    try terminal.read(until: "\"code\":\(PAM_AUTHINFO_UNAVAIL)")
    try terminal.read(until: "-icanon")
    #expect(terminal.echoes)
    #expect(!terminal.screen.contains("abc"))
    try daemon.finish()
  }

  @Test func `what is typed while the passcode is checked is the shell's`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.heartbeat), touch, .send(Packet.askPasscode(.misses)), .expect(.passcode), .beat(5),
      .send(Packet.success(.passcode, token: token)),
    ])
    let (terminal, configuration) = try host(daemon, answers: ["horse"], then: "IFS= read -r line; echo \"shell read <$line>\"")
    defer { withExtendedLifetime(configuration) {} }
    try terminal.read(until: "Password: ")
    terminal.type("ls\n")
    try terminal.read(until: "\"code\":\(PAM_SUCCESS),")
    try terminal.read(until: "shell read <ls>")
    try daemon.finish()
  }
}
