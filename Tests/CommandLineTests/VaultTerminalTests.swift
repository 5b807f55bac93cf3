import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The vault on a terminal: hidden secrets, values on a screen, and what has to be confirmed.
@Suite struct VaultTerminalTests {
  private func start(_ words: [String], _ daemon: ScriptedDaemon) throws -> PseudoTerminal {
    try PseudoTerminal([Signet.path(), "vault"] + words + ["--socket", daemon.path], environment: Signet.environment)
  }

  /// What a command looks at before it asks the user: a vault that has the item `web`, or one without items.
  private static let having: [ScriptedDaemon.Step] = [
    .expect(.vaultList),
    .reply(.item(ItemRow(item: Item(ItemName(service: "web", account: "")), created: 1, modified: 1, isOfCurrentSet: true))),
    .done,
  ]
  private static let empty: [ScriptedDaemon.Step] = [.expect(.vaultList), .done]
  private static let storing: [ScriptedDaemon.Step] = [.expect(.vaultAdd), .reply(.askValue), .expect(.value), .done]

  @Test func `a secret is typed twice, hidden, and is where no other process sees it`() throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.empty, VaultTerminalTests.storing)
    let terminal = try start(["add", "web"], daemon)
    for question in ["Secret: ", "Secret again: "] {
      try terminal.read(until: question)
      #expect(!terminal.echoes)
      #expect(!daemon.hasUnserved)
      let shown = try RawFile.text("/proc/\(terminal.pid)/cmdline") + RawFile.text("/proc/\(terminal.pid)/environ")
      #expect(shown.contains("vault") && shown.contains("TERM=dumb") && !shown.contains("s3cret"))
      terminal.type("s3cret wörd\n")
    }
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.echoes)
    try terminal.readToEnd()
    #expect(terminal.screen == "Secret: \r\nSecret again: \r\nStored web.\r\n")
    #expect(try value(daemon.finish()[1][1...]) == Array("s3cret wörd".utf8))
  }

  @Test func `the login secret has a question of its own`() throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.empty, VaultTerminalTests.storing)
    let terminal = try start(["add", "--login-secret"], daemon)
    for question in ["Login secret: ", "Login secret again: "] {
      try terminal.read(until: question)
      terminal.type("right horse\n")
    }
    #expect(try terminal.waitForExit() == 0)
    #expect(try value(daemon.finish()[1][1...]) == Array("right horse".utf8))
  }

  @Test(arguments: [("one\n", "two\n", "not the same"), ("one\n", "onf\n", "not the same"), ("one\n", "\n", "no secret")])
  func `two different secrets store nothing`(first: String, second: String, words: String) throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.empty)
    let terminal = try start(["add", "web"], daemon)
    try terminal.read(until: "Secret: ")
    terminal.type(first)
    try terminal.read(until: "Secret again: ")
    terminal.type(second)
    #expect(try terminal.waitForExit() == 1)
    #expect(!daemon.hasUnserved)
    try terminal.readToEnd()
    #expect(terminal.screen.contains(words))
  }

  @Test(arguments: [("\n", 1, "no secret was given"), ("\u{4}", 1, "no secret was given"), ("half\u{3}", 130, "Cancelled.")])
  func `no answer restores the terminal and stores nothing`(keys: String, status: Int32, words: String) throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.empty)
    let terminal = try start(["add", "web"], daemon)
    try terminal.read(until: "Secret: ")
    terminal.type(keys)
    #expect(try terminal.waitForExit() == status)
    #expect(terminal.echoes)
    #expect(!daemon.hasUnserved)
    try terminal.readToEnd()
    #expect(terminal.screen.contains(words) || words.isEmpty)
  }

  /// The terminal itself cuts a longer line, and nobody would know.
  @Test func `a line that the terminal may have cut is no secret`() throws {
    let terminal = try start(["add", "web"], ScriptedDaemon(VaultTerminalTests.empty))
    try terminal.read(until: "Secret: ")
    terminal.type(String(repeating: "x", count: 4095))
    terminal.type("\n")
    #expect(try terminal.waitForExit() == 1)
    try terminal.readToEnd()
    #expect(terminal.screen.contains("4094"))
  }

  @Test func `the suspend key restores the terminal, and the question comes again`() throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.empty, VaultTerminalTests.storing)
    let terminal = try start(["add", "web"], daemon)
    try terminal.read(until: "Secret: ")
    terminal.type("\u{1A}")
    var status: Int32 = 0
    try #require(waitpid(terminal.pid, &status, WUNTRACED) == terminal.pid)
    #expect(status & 0xff == 0x7f)
    #expect(terminal.echoes)
    kill(terminal.pid, SIGCONT)
    for question in ["Secret: ", "Secret again: "] {
      try terminal.read(until: question)
      #expect(!terminal.echoes)
      terminal.type("s3cret\n")
    }
    #expect(try terminal.waitForExit() == 0)
    #expect(try value(daemon.finish()[1][1...]) == Array("s3cret".utf8))
  }

  @Test func `recovering asks for the present passcode, then for the old one`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.vaultRecover), .reply(.askPasscode(.vault)), .expect(.passcode), .reply(.heartbeat),
      .reply(.askPasscode(.oldPasscode)), .expect(.passcode), .done,
    ])
    let terminal = try start(["recover"], daemon)
    for (question, passcode) in [("Passcode: ", "new\n"), ("Old passcode: ", "old\n")] {
      try terminal.read(until: question)
      #expect(!terminal.echoes)
      terminal.type(passcode)
    }
    #expect(try terminal.waitForExit() == 0)
    let sent = try daemon.finish()[0]
    #expect(sent[1].suffix(3) == Array("new".utf8)[...])
    #expect(sent[2].suffix(3) == Array("old".utf8)[...])
  }

  private static func releasing(_ value: String) -> [ScriptedDaemon.Step] {
    [.expect(.vaultRead), .value(Array(value.utf8), of: value.utf8.count), .done]
  }

  @Test(arguments: [("s3cret", "s3cret\r\n"), ("a\n\tb\n", "a\r\n\tb\r\n"), ("", "\r\n"), ("wörd 指紋", "wörd 指紋\r\n")])
  func `on a screen a value comes after a yes, with a newline`(value: String, shown: String) throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.having, VaultTerminalTests.releasing(value))
    let terminal = try start(["get", "web"], daemon)
    let question = "Show the secret on this screen? [y/N] "
    try terminal.read(until: question)
    #expect(terminal.echoes)
    terminal.type("y\n")
    #expect(try terminal.waitForExit() == 0)
    try terminal.readToEnd()
    #expect(terminal.screen == question + "y\r\n" + shown)
    try daemon.finish()
  }

  @Test(arguments: ["n\n", "\n", "yesterday\n", "\u{4}"]) func `without a yes nothing is released`(keys: String) throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.having)
    let terminal = try start(["get", "web"], daemon)
    try terminal.read(until: "[y/N] ")
    terminal.type(keys)
    #expect(try terminal.waitForExit() == 1)
    #expect(!daemon.hasUnserved)
  }

  @Test func `what is not there is not asked about, and what is there is not typed again`() throws {
    let missing = try start(["get", "web"], ScriptedDaemon(VaultTerminalTests.empty))
    #expect(try missing.waitForExit() == 1)
    try missing.readToEnd()
    #expect(missing.screen == "signet: there is no item web. Add it with: signet vault add\r\n")
    let present = try start(["add", "web"], ScriptedDaemon(VaultTerminalTests.having))
    #expect(try present.waitForExit() == 1)
    try present.readToEnd()
    #expect(present.screen == "signet: there is such an item already; update it\r\n")
  }

  @Test func `with --show nothing is asked`() throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.releasing("s3cret"))
    let terminal = try start(["get", "web", "--show"], daemon)
    #expect(try terminal.waitForExit() == 0)
    try terminal.readToEnd()
    #expect(terminal.screen == "s3cret\r\n")
  }

  @Test(arguments: [
    Array("\u{1B}]0;owned\u{7}".utf8), Array("a\rb".utf8), [0x9B, 0x33], [0xC2, 0x9B], Array("\u{202E}x".utf8), [0], [0x7F],
    Array("text\n\u{8}".utf8), [0xFF], Array("é".utf8.dropLast()),
  ])
  func `a value that would drive the terminal is not shown`(value: [UInt8]) throws {
    let daemon = try ScriptedDaemon([.expect(.vaultRead), .value(value, of: value.count), .done])
    let terminal = try start(["get", "web", "--show"], daemon)
    #expect(try terminal.waitForExit() == 1)
    try terminal.readToEnd()
    #expect(terminal.screen.hasPrefix("signet: the value has bytes that a terminal would act on"))
    #expect(!terminal.screen.utf8.contains(0x1B))
    try daemon.finish()
  }

  /// What is typed while a finger is waited for may be the passcode, too early.
  @Test func `Enter asks for the passcode, and what was typed before it is neither shown nor taken for one`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.vaultRead), .reply(.show(.touchReader, value: 0, detail: "")), .wait, .expect(.fallback),
      .reply(.askPasscode(.userFallback)), .expect(.passcode), .reply(.heartbeat), .value([65], of: 1), .done,
    ])
    let terminal = try start(["get", "web", "--show"], daemon)
    try terminal.read(until: "Touch the fingerprint reader (press Enter for the passcode)")
    #expect(!terminal.echoes)
    terminal.type("too early\n")
    try terminal.read(until: "Passcode: ")
    terminal.type("right horse\n")
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.echoes)
    try terminal.readToEnd()
    #expect(terminal.screen.hasSuffix("Passcode: \r\nA\r\n"))
    #expect(!terminal.screen.contains("early"))
    #expect(try daemon.finish()[0][2].suffix(11) == Array("right horse".utf8)[...])
  }

  @Test(arguments: [("\u{3}", 130), ("\u{1C}", 131)]) func `a key that ends the wait for a finger restores the terminal`(
    key: String, status: Int32
  ) throws {
    let daemon = try ScriptedDaemon([
      .expect(.vaultRead), .reply(.show(.touchReader, value: 0, detail: "")), .wait, .expect(.cancel),
      .reply(.refused(.cancelled)),
    ])
    let terminal = try start(["get", "web", "--show"], daemon)
    try terminal.read(until: "Touch the fingerprint reader")
    terminal.type(key)
    #expect(try terminal.waitForExit() == status)
    #expect(terminal.echoes)
    try daemon.finish()
  }

  @Test func `signetd that falls silent while a finger is waited for is given up, and the terminal restored`() throws {
    let daemon = try ScriptedDaemon([.expect(.vaultRead), .reply(.show(.touchReader, value: 0, detail: "")), .silence])
    let terminal = try start(["get", "web", "--show"], daemon)
    #expect(try terminal.waitForExit() == 3)
    #expect(terminal.echoes)
  }

  private static let status = AdministrationReply.status(
    StatusRow(user: "alice", uid: 1000, strikes: 0, limit: 5, lock: .none))
  private static let asking: [ScriptedDaemon.Step] = [
    .expect(.status), .reply(status), .reply(.vault(VaultRow(state: .open, items: 1))), .done,
  ]

  @Test func `a vault is given up after the word, and the passcode`() throws {
    let daemon = try ScriptedDaemon(
      VaultTerminalTests.asking,
      [.expect(.vaultReset), .reply(.askPasscode(.administration)), .expect(.passcode), .reply(.heartbeat), .done])
    let terminal = try start(["reset"], daemon)
    #expect(try terminal.read(until: "Type reset to go on: ").contains("The vault has 1 item. All of it will be gone for good."))
    #expect(terminal.echoes)
    terminal.type("reset\n")
    try terminal.read(until: "Passcode: ")
    terminal.type("right horse\n")
    #expect(try terminal.waitForExit() == 0)
    try daemon.finish()
  }

  @Test(arguments: ["y\n", "\n", "\u{4}"]) func `another word gives up nothing`(keys: String) throws {
    let daemon = try ScriptedDaemon(VaultTerminalTests.asking)
    let terminal = try start(["reset"], daemon)
    try terminal.read(until: "Type reset to go on: ")
    terminal.type(keys)
    #expect(try terminal.waitForExit() == 1)
    try daemon.finish()
    #expect(!daemon.hasUnserved)
  }
}
