import CPAM
import SignetTestKit
import SignetVocabulary
import Testing

@Suite struct LogTests {
  private static let passcodeLogin: [ScriptedDaemon.Step] = [
    .expect(.authenticate), .send(Packet.heartbeat), touch, .send(Packet.show(.notRecognised, value: 0)),
    .send(Packet.askPasscode(.misses)), .expect(.passcode), .send(Packet.success(.passcode, token: token)),
  ]

  @Test func `a login that works is not the module's to log`() throws {
    #expect(try run([.expect(.authenticate), touch, success], "--log").host.log == [])
  }

  @Test func `debug logs the steps`() throws {
    let (host, _) = try run([.expect(.authenticate), touch, success], options: "debug", "--log")
    #expect(host.log.contains { $0.contains("asked signetd") })
    #expect(host.log.contains { $0.contains("authenticated by finger") })
    #expect(host.log.allSatisfy { $0.contains("(signet-test:auth)") })
  }

  @Test func `debug logs no passcode, no token and no text of signetd`() throws {
    let (host, _) = try run(Self.passcodeLogin, options: "debug", answers: ["correct-horse"], "--log", "--credentials")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.log.count >= 2)
    let log = host.log.joined()
    for secret in ["correct", "horse", "0102", "01 02", "\u{1}\u{2}"] { #expect(!log.contains(secret)) }
  }

  @Test(arguments: ["timout=30", "timeout=0", "socket=here"])
  func `a bad word is logged by name`(word: String) throws {
    let host = try runAlone(options: word, "--log", "--credentials")
    #expect(host.log.count == 2)
    #expect(host.log.allSatisfy { $0.hasSuffix(": \(word)") && $0.contains("pam_signet(8)") })
  }

  @Test func `a word with control characters does not forge a log line`() throws {
    let host = try runAlone(options: "x\u{1B}[2J", "--log")
    #expect(host.log.count == 1)
    #expect(host.log.allSatisfy { !$0.contains("[2J") })
  }

  @Test func `a program that holds the reader is named in the log, and not in the prompt`() throws {
    let (host, _) = try run(LogTests.held(by: "fprintd (pid 812)"), answers: ["correct-horse"], "--log")
    #expect(host.code == PAM_SUCCESS)
    #expect(host.log.count == 1)
    #expect(host.log.first?.hasSuffix("another program holds the reader: fprintd (pid 812)") == true)
    #expect(host.texts.contains("The fingerprint reader is held by another program"))
    #expect(!host.texts.joined().contains("fprintd"))
  }

  @Test(arguments: ["", "x\u{1B}[2J (pid 7)", "a\nb (pid 7)"])
  func `where its name is not known or not harmless the log says how to find it`(name: String) throws {
    let (host, _) = try run(LogTests.held(by: name), answers: ["correct-horse"], "--log")
    #expect(host.log.count == 1)
    #expect(host.log.first?.hasSuffix("the reader: signet doctor --only readers, as root, says which") == true)
  }

  private static func held(by name: String) -> [ScriptedDaemon.Step] {
    [
      .expect(.authenticate), .send(Packet.show(.readerUnavailable, value: 3, detail: Array(name.utf8))),
      .send(Packet.askPasscode(.readerUnavailable)), .expect(.passcode), .send(Packet.success(.passcode, token: token)),
    ]
  }

  @Test func `an absent signetd is logged with what to do`() throws {
    let host = try runAlone("--log")
    #expect(host.log.count == 1)
    #expect(host.log.first?.contains("systemctl start signetd.socket") == true)
  }

  @Test func `a silent signetd is logged with what to do`() throws {
    let (host, _) = try run([.expect(.authenticate), .silence], "--log")
    #expect(host.log.count == 1)
    #expect(host.log.first?.contains("systemctl restart signetd") == true)
  }

  @Test func `a verdict that is not known keeps its number in the log`() throws {
    let (host, _) = try run([.expect(.authenticate), .send(Packet.refusal(Verdict(rawValue: 99)))], "--log")
    #expect(host.log.count == 1)
    #expect(host.log.first?.contains("99") == true)
  }
}
