import Glibc
import SignetTestKit
import Testing

/// One prompt for a finger or a passcode where the host has a conversation and no terminal: polkit's own helper, as an agent with a
/// window runs it.
@Suite(
  .enabled(if: geteuid() == 0, "needs root, as polkit's helper does"),
  .enabled(if: access(PolkitHelper.path, X_OK) == 0, "needs polkit's helper (Debian: polkitd)"))
struct PromptAsideTests {
  private static let question = "PAM_PROMPT_ECHO_OFF Touch the reader or enter your passcode:"

  private let begin: [ScriptedDaemon.Step] = [.expect(.authenticate), .send(Packet.heartbeat), touch]
  private let passcodeFollows: [ScriptedDaemon.Step] = [
    .wait, .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.passcode),
  ]

  @Test func `a finger ends the question that stands`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate), success])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    gate.open()
    try helper.awaitSuccess()
    try daemon.finish()
  }

  @Test func `a passcode ends the question and the scan`() throws {
    let daemon = try ScriptedDaemon(begin + passcodeFollows + [.send(Packet.success(.passcode, token: token))])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    try helper.talker.say("corréct horse ")
    try helper.awaitSuccess()
    #expect(try daemon.finish()[0][2].dropFirst(4) == Array("corréct horse ".utf8)[...])
  }

  @Test func `a miss is told while the question stands, and asks nothing anew`() throws {
    let (asked, missed) = (Gate(), Gate())
    let miss = ScriptedDaemon.Step.send(Packet.show(.notRecognised, value: 2))
    let daemon = try ScriptedDaemon(begin + [.until(asked), miss, .until(missed), success])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    asked.open()
    #expect(try helper.talker.line(with: "PAM_") == "PAM_ERROR_MSG Fingerprint not recognised, 2 attempts left")
    missed.open()
    try helper.awaitSuccess()
    try daemon.finish()
  }

  @Test func `where the finger is used up, the question that stands takes the passcode`() throws {
    let daemon = try ScriptedDaemon(
      begin + [
        .send(Packet.askPasscode(.userFallback)), .expect(.passcode), .send(Packet.success(.passcode, token: token)),
      ])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    try helper.talker.say("horse")
    try helper.awaitSuccess()
    #expect(try daemon.finish()[0][1].dropFirst(4) == Array("horse".utf8)[...])
  }

  @Test func `an empty answer asks for the passcode alone`() throws {
    let daemon = try ScriptedDaemon(begin + passcodeFollows + [.send(Packet.success(.passcode, token: token))])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    try helper.talker.say("")
    try helper.talker.line(with: "PAM_PROMPT_ECHO_OFF Password:")
    try helper.talker.say("horse")
    try helper.awaitSuccess()
    try daemon.finish()
  }

  @Test func `a wrong passcode is refused, whatever the finger does`() throws {
    let daemon = try ScriptedDaemon(begin + passcodeFollows + [.send(Packet.refusal(.authenticationFailed))])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    try helper.talker.say("wrong")
    try helper.awaitRefusal()
    try daemon.finish()
  }

  @Test func `a dialog that is cancelled ends the scan`() throws {
    let daemon = try ScriptedDaemon(
      begin + [.wait, .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.cancel)])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    helper.talker.hangUp()
    try helper.awaitRefusal()
    try daemon.finish()
  }

  @Test func `an agent on a terminal gets no question that a finger could not take back`() throws {
    let daemon = try ScriptedDaemon(begin + [.wait, .expect(.fallback), .send(Packet.refusal(.userCancel))])
    let configuration = try PolkitHelper.configuration(daemon)
    let terminal = try PseudoTerminal(["sh", "-c", "echo cookie | unshare --mount sh -c '\(PolkitHelper.enter(configuration))'"])
    try terminal.read(until: "PAM_TEXT_INFO Touch the fingerprint reader (press Enter for the passcode)")
    terminal.type("\n")
    try terminal.read(until: "pam_authenticate failed")
    #expect(!terminal.screen.contains("PAM_PROMPT"))
    try daemon.finish()
  }

  @Test func `a helper that is killed leaves nobody who asks`() throws {
    let gate = Gate()
    let daemon = try ScriptedDaemon(begin + [.until(gate)])
    let helper = try PolkitHelper(daemon)
    try helper.talker.line(with: PromptAsideTests.question)
    let asking = try helper.child()
    helper.talker.program.signal(SIGKILL)
    #expect(try helper.talker.program.waitForExit() == -SIGKILL)
    #expect(ends(asking))
    gate.open()
  }
}

/// polkit-agent-helper-1 with the module, in a session without a terminal.
private struct PolkitHelper {
  static let path = "/usr/lib/polkit-1/polkit-agent-helper-1"

  let talker: Talker
  private let configuration: PAMConfiguration

  init(_ daemon: ScriptedDaemon) throws {
    configuration = try PolkitHelper.configuration(daemon)
    let words = ["setsid", "unshare", "--mount", "sh", "-c", PolkitHelper.enter(configuration)]
    talker = try Talker(words, environment: HostRun.environment, talksOn: 1)
    try talker.say("cookie")
  }

  static func configuration(_ daemon: ScriptedDaemon) throws -> PAMConfiguration {
    let module = try ReaderChannel.program("libpam_signet.so")
    return try PAMConfiguration()
      .add("polkit-1", lines: ["auth required \(module) socket=\(daemon.path)", "account required pam_permit.so"])
  }

  /// What runs the helper, in a mount namespace of its own: it knows no other folder, and finds nobody on the bus to tell of a success.
  static func enter(_ configuration: PAMConfiguration) -> String {
    "mount --bind \(configuration.path) /etc/pam.d && mount -t tmpfs none /run && exec \(path) alice"
  }

  /// PAM lets the user in; then the helper looks for polkitd.
  func awaitSuccess() throws {
    try talker.line(with: "Error getting authority")
    _ = try talker.program.waitForExit()
  }

  func awaitRefusal() throws {
    try talker.line(with: "pam_authenticate failed")
    _ = try talker.program.waitForExit()
  }

  /// The process that holds the conversation.
  func child() throws -> pid_t {
    guard let child = try ProcessLook(talker.program.pid).children(named: "polkit-agent-helper-1").first else {
      throw TestKitError("no child")
    }
    return child
  }
}
