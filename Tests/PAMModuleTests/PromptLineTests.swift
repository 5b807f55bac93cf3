import CPAM
import Glibc
import SignetTestKit
import Testing

/// One prompt for a finger or a passcode: the module's own line on the host's terminal.
@Suite struct PromptLineTests {
  private static let prompt = "Touch the reader or enter your passcode: "

  /// pam-host in a shell on a terminal, as sudo and su are; `then` is what the shell does after it.
  private struct Desk {
    let terminal: PseudoTerminal
    private let configuration: PAMConfiguration

    init(
      _ daemon: ScriptedDaemon, _ options: String = "", service: String = "signet-test", before: String = ":",
      sudoWords: String = "", input: String = "", then: String = "IFS= read -r line; echo \"shell read <$line>\""
    ) throws {
      configuration = try PAMConfiguration().add(service, options: "socket=\(daemon.path) show")
      let program = try ReaderChannel.program("pam-host")
      let words =
        "\(program) \(sudoWords) --service \(service) --confdir \(configuration.path) --user alice --tty \"$(tty)\" --print --state \(options)"
      terminal = try PseudoTerminal(["sh", "-c", "\(before); \(words) \(input); \(then)"])
    }

    /// What the shell reads next, after this was typed.
    func shellReads(_ line: String) throws {
      terminal.type(line + "\n")
      try terminal.read(until: "shell read <\(line)>")
    }

    func ends(with code: Int32) throws {
      try terminal.read(until: "\"code\":\(code)")
      try terminal.read(until: "\"step\":\"state\",\"differences\":[]")
    }
  }

  private let begin: [ScriptedDaemon.Step] = [.expect(.authenticate), .send(Packet.heartbeat), touch]
  private let passcodeFollows: [ScriptedDaemon.Step] = [
    .wait, .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.passcode),
  ]
  private let accepted = ScriptedDaemon.Step.send(Packet.success(.passcode, token: token))

  @Test func `a finger ends the prompt, and what is typed next is the shell's`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), success])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    #expect(!desk.terminal.echoes)
    gate.open()
    try desk.terminal.read(until: "\r\n")
    try desk.ends(with: PAM_SUCCESS)
    #expect(desk.terminal.echoes)
    try desk.shellReads("ls")
    try daemon.finish()
  }

  @Test func `a passcode ends the prompt and the scan, and is not shown`() throws {
    let daemon = try ScriptedDaemon(begin + passcodeFollows + [accepted])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("corréct horse \n")
    try desk.ends(with: PAM_SUCCESS)
    #expect(!desk.terminal.screen.contains("horse"))
    #expect(!desk.terminal.screen.contains("Passcode:"))
    #expect(try daemon.finish()[0][2].dropFirst(4) == Array("corréct horse ".utf8)[...])
  }

  @Test func `where no finger was asked for, the passcode is asked for by the host, however late`() throws {
    let daemon = try ScriptedDaemon(
      [.expect(.authenticate), .beat(3), .send(Packet.askPasscode(.misses)), .expect(.passcode), accepted])
    let desk = try Desk(daemon, "--answer text:horse")
    try desk.ends(with: PAM_SUCCESS)
    #expect(desk.terminal.screen.contains("Password: "))
    #expect(!desk.terminal.screen.contains("Passcode: "))
    try daemon.finish()
  }

  @Test func `what is half typed when the finger comes goes nowhere`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), .beat(3), success])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("hunt")
    gate.open()
    try desk.ends(with: PAM_SUCCESS)
    try desk.shellReads("ls")
    #expect(!desk.terminal.screen.contains("hunt"))
    try daemon.finish()
  }

  /// Somebody types on for a moment, because they look at their hands. A test that stands still just then is begun anew.
  @Test func `the rest of a line that is being typed when the finger comes goes nowhere`() throws {
    for attempt in 1...5 {
      let gate = Gate()
      let daemon = try ScriptedDaemon(begin + [.until(gate), .beat(3), success])
      let desk = try Desk(daemon)
      try desk.terminal.read(until: PromptLineTests.prompt)
      desk.terminal.type("hunt")
      gate.open()
      try daemon.finish()
      desk.terminal.type("er2\n")
      try desk.ends(with: PAM_SUCCESS)
      desk.terminal.type("ls\n")
      let read = try desk.terminal.read(until: ">")
      if read.contains("shell read <ls>") { return }
      if attempt == 5 { Issue.record("the shell read what was typed before: \(read)") }
    }
  }

  @Test func `messages stand above the prompt, and what is typed stays`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(
      begin + [.until(gate), .send(Packet.show(.notRecognised, value: 2)), touch] + passcodeFollows + [accepted])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("hor")
    gate.open()
    try desk.terminal.read(until: "\rFingerprint not recognised, 2 attempts left")
    try desk.terminal.read(until: "\r\n" + PromptLineTests.prompt)
    desk.terminal.type("se\n")
    try desk.ends(with: PAM_SUCCESS)
    #expect(try daemon.finish()[0][2].dropFirst(4) == Array("horse".utf8)[...])
  }

  @Test func `on a terminal that is narrower than the prompt nothing is drawn over`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), .send(Packet.show(.notRecognised, value: 2)), touch, success])
    let desk = try Desk(daemon, before: "stty cols 30")
    try desk.terminal.read(until: PromptLineTests.prompt)
    gate.open()
    try desk.terminal.read(until: "\r\nFingerprint not recognised, 2 attempts left\r\r\n" + PromptLineTests.prompt)
    try desk.ends(with: PAM_SUCCESS)
    try daemon.finish()
  }

  @Test func `where no attempt is left what is typed stays, too`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(
      begin + [
        .until(gate), .send(Packet.show(.noAttemptsLeft)), .send(Packet.askPasscode(.misses)), .expect(.passcode), accepted,
      ])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("hor")
    gate.open()
    try desk.terminal.read(until: "No fingerprint attempts left")
    try desk.terminal.read(until: "Passcode: ")
    desk.terminal.type("se\n")
    try desk.ends(with: PAM_SUCCESS)
    #expect(try daemon.finish()[0][1].dropFirst(4) == Array("horse".utf8)[...])
  }

  /// A reader that was pulled out while the prompt stood.
  private let away: [ScriptedDaemon.Step] = [
    .send(Packet.show(.readerUnavailable)), .send(Packet.askPasscode(.readerUnavailable)), .expect(.follow),
  ]

  @Test func `the words follow a reader that goes and comes, and what is typed stays`() throws {
    let (gone, back, again) = (Gate(), Gate(), Gate())
    let daemon = try ScriptedDaemon(
      begin + [.until(gone)] + away + [.until(back), touch, .until(again), .send(Packet.show(.readerUnavailable))]
        + [.expect(.passcode), accepted])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("ho")
    gone.open()
    try desk.terminal.read(until: "The fingerprint reader is not available")
    try desk.terminal.read(until: "\rPasscode: ")
    desk.terminal.type("rs")
    back.open()
    try desk.terminal.read(until: "\r" + PromptLineTests.prompt)
    again.open()
    try desk.terminal.read(until: "\rPasscode: ")
    desk.terminal.type("e\n")
    try desk.ends(with: PAM_SUCCESS)
    #expect(try daemon.finish()[0].last?.dropFirst(4) == Array("horse".utf8)[...])
  }

  @Test func `a finger on a reader that is back ends the prompt, and what is half typed goes nowhere`() throws {
    let finger = Gate()
    let daemon = try ScriptedDaemon(begin + away + [touch, .until(finger), success])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: "\rPasscode: ")
    try desk.terminal.read(until: "\r" + PromptLineTests.prompt)
    desk.terminal.type("secr")
    finger.open()
    try desk.ends(with: PAM_SUCCESS)
    try desk.shellReads("ls")
    try daemon.finish()
  }

  @Test func `a passcode that crosses the finger is not left to other modules`() throws {
    let daemon = try ScriptedDaemon(begin + away + [touch, .expect(.passcode), success])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: "\rPasscode: ")
    try desk.terminal.read(until: "\r" + PromptLineTests.prompt)
    desk.terminal.type("not my passcode\n")
    try desk.terminal.read(until: "\"code\":0")
    try desk.ends(with: PAM_SUCCESS)
    #expect(!desk.terminal.screen.contains("not my passcode"))
    try daemon.finish()
  }

  @Test func `a reader that is away from the beginning is followed, too`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.heartbeat)] + away + [touch, success])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    try desk.ends(with: PAM_SUCCESS)
    try daemon.finish()
  }

  @Test func `Enter alone asks for the passcode, and again cancels`() throws {
    let daemon = try ScriptedDaemon(
      begin + [.wait, .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.cancel)])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("\n")
    try desk.terminal.read(until: "Passcode: ")
    desk.terminal.type("\n")
    try desk.ends(with: PAM_AUTH_ERR)
    try daemon.finish()
  }

  @Test(arguments: ["\u{4}", "x\u{4}\u{4}"])
  func `Ctrl-D ends the conversation`(keys: String) throws {
    let daemon = try ScriptedDaemon(
      begin + [.wait, .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.cancel)])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type(keys)
    try desk.ends(with: PAM_CONV_ERR)
    try desk.shellReads("ls")
    try daemon.finish()
  }

  @Test func `a line that is too long is no passcode`() throws {
    let daemon = try ScriptedDaemon(
      begin + [.wait, .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.cancel)])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type(String(repeating: "a", count: 600) + "\nand more of it\n")
    try desk.ends(with: PAM_AUTH_ERR)
    try desk.shellReads("ls")
    try daemon.finish()
  }

  @Test func `Ctrl-C cancels, and the terminal is whole`() throws {
    let daemon = try ScriptedDaemon(begin + [.wait, .expect(.cancel)])
    let desk = try Desk(daemon, "--sigint ignore", before: "trap : INT")
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("x\u{3}")
    try desk.terminal.read(until: "\"code\":\(PAM_AUTH_ERR)")
    #expect(desk.terminal.echoes)
    try daemon.finish()
  }

  @Test func `Ctrl-Z stops the host with a whole terminal, and fg brings the prompt back`() throws {
    let daemon = try ScriptedDaemon(begin + passcodeFollows + [accepted])
    let desk = try Desk(daemon, before: "set -m", then: "echo stopped; read -r line; fg; echo back")
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("hun\u{1A}")
    try desk.terminal.read(until: "stopped")
    #expect(desk.terminal.echoes)
    desk.terminal.type("on\n")
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.type("horse\n")
    try desk.terminal.read(until: "\"code\":\(PAM_SUCCESS)")
    try desk.terminal.read(until: "back")
    #expect(desk.terminal.echoes)
    #expect(try daemon.finish()[0][2].dropFirst(4) == Array("horse".utf8)[...])
  }

  @Test func `a closed window cancels`() throws {
    let daemon = try ScriptedDaemon(begin + [.wait, .expect(.cancel)])
    let desk = try Desk(daemon)
    try desk.terminal.read(until: PromptLineTests.prompt)
    desk.terminal.hangUp()
    try daemon.finish()
  }

  @Test func `another program's settings of the terminal stay`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), success])
    let desk = try Desk(daemon, then: "stty -a")
    try desk.terminal.read(until: PromptLineTests.prompt)
    var settings = desk.terminal.settings
    settings.c_lflag &= ~tcflag_t(ICANON)
    #expect(tcsetattr(desk.terminal.master, TCSANOW, &settings) == 0)
    gate.open()
    try desk.terminal.read(until: "-icanon")
    try desk.terminal.read(until: " -echo ")
    try daemon.finish()
  }

  @Test func `LOGIN_TIMEOUT's alarm leaves the terminal whole`() throws {
    let daemon = try ScriptedDaemon(begin + [.wait, .expect(.cancel)])
    let desk = try Desk(daemon, "--kill-after 1500000 ALRM", then: "stty -a")
    try desk.terminal.read(until: PromptLineTests.prompt)
    try desk.terminal.read(until: " echo ")
    try daemon.finish()
  }

  @Test(arguments: [
    ("< /dev/null", ""), ("--rhost localhost", ""), ("--tty /dev/null", ""), ("--thread", ""), ("", "-S"), ("", "-p word"),
  ])
  func `the host keeps its own prompt`(options: String, sudoWords: String) throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), success])
    let desk = try Desk(daemon, options, service: sudoWords.isEmpty ? "signet-test" : "sudo", sudoWords: sudoWords)
    try desk.terminal.read(until: "Touch the fingerprint reader")
    gate.open()
    try desk.terminal.read(until: "\"code\":\(PAM_SUCCESS)")
    #expect(!desk.terminal.screen.contains(PromptLineTests.prompt))
    try daemon.finish()
  }

  @Test func `sudo says for whom, however long a directory's names are`() throws {
    let user = "alice.liddell.of.the.far.wonderland@users.example.test"
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), success])
    let desk = try Desk(daemon, "--user \(user)", service: "sudo", sudoWords: "-u root")
    try desk.terminal.read(until: "\(user), /dev/pts/")
    try desk.terminal.read(until: PromptLineTests.prompt)
    gate.open()
    try desk.terminal.read(until: "\"code\":\(PAM_SUCCESS)")
    try daemon.finish()
  }

  @Test func `sudo's terminal is asked wherever its input comes from`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), success])
    let desk = try Desk(daemon, service: "sudo", sudoWords: "-u root", input: "< /dev/null")
    try desk.terminal.read(until: PromptLineTests.prompt)
    gate.open()
    try desk.terminal.read(until: "\"code\":\(PAM_SUCCESS)")
    try daemon.finish()
  }
}
