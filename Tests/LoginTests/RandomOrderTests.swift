import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// The prompt that a finger or a passcode ends, the real signetd behind it, and everything that can happen to both, in random orders:
/// fingers, keys, signals, and the death of each process. `SIGNET_ORDERS` says how many; `SIGNET_SEED` which.
@Suite struct RandomOrderTests {
  private static func number(_ name: String, _ standard: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? standard
  }

  @Test func `in no order is anybody let in for nothing, left waiting, or left without a strike or an echo`() throws {
    let seed = RandomOrderTests.number("SIGNET_SEED", 1)
    var storm = try Storm(seed: UInt64(seed))
    // On a slow machine every random order may be over before its finger was looked at; these wait until it was.
    try storm.play([.wrongFinger], until: "not recognised")
    try storm.play([.rightFinger], until: "\"step\":\"authenticate\"")
    try storm.play([])
    #expect((storm.misses, storm.successes, storm.refusals) == (1, 1, 2), "\(storm.log)")
    for order in 0..<RandomOrderTests.number("SIGNET_ORDERS", 150) {
      do { try storm.playRandomly() } catch {
        Issue.record("order \(order) of seed \(seed), \(storm.acts): \(error)")
        return
      }
    }
  }
}

/// One user at a terminal, again and again.
private struct Storm {
  enum Act: CaseIterable {
    case rightFinger, wrongFinger, poorScan, halfLine, rightLine, wrongLine, longLine, enter, interrupt, endOfFile, quit, resize
    case killHost, endHost, hangUp, killReader, killCheck, restartDaemon, unplug, plug
  }

  private let scene: Scene
  private let command: String
  private var random: SeededGenerator
  /// What was done in the present order.
  private(set) var acts: [Act] = []
  private(set) var successes = 0
  private(set) var refusals = 0
  private(set) var misses = 0
  /// Right fingers and passcodes of the present order that nobody was let in for: each is good for one success.
  private var credit = 0
  /// The misses that were shown since the last success.
  private var strikes = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    scene = try Scene(configuration: "prompt = either\npasscode_delays = off\nstrikes = 100\n")
    let module = try ReaderChannel.program("libpam_signet.so")
    try scene.daemon.write("pam/signet-test", "auth required \(module) socket=\(scene.daemon.socket) timeout=60 show\n")
    command =
      "exec \(try ReaderChannel.program("pam-host")) --service signet-test --confdir \(scene.daemon.confdir) "
      + "--user \(scene.daemon.user) --tty \"$(tty)\" --print --state"
  }

  mutating func playRandomly() throws {
    try play((0..<Int.random(in: 1...4, using: &random)).map { _ in Act.allCases.randomElement(using: &random)! })
  }

  var log: String { scene.daemon.loggedSoFar }

  /// Ends the prompt by ^C after the acts, or once `text` is on the screen.
  mutating func play(_ acts: [Act], until text: String? = nil) throws {
    self.acts = acts
    let terminal = try PseudoTerminal(
      // Who waits for a text lets the host stay: the terminal's end takes what was not read yet with it.
      ["sh", "-c", text == nil ? command : command + " --pause 99000000"],
      // Swift's own report of a crash, which Ctrl-\\ asks for in a Swift program, would take the terminal for half a minute.
      environment: ["PATH=/usr/bin:/bin", "TERM=dumb", "SWIFT_BACKTRACE=enable=no"])
    let isAsked = (try? terminal.read(until: "enter your passcode: ")) != nil
    // A reader that was pulled out or killed a moment ago, or that the login before has still, has nobody asked for a finger; and pam-host
    // has no passcode to give, at the prompt on the terminal or at its own.
    let isPasscodeAsked = ["Passcode: ", "Password: "].contains { terminal.screen.contains($0) }
    guard isAsked || isPasscodeAsked else { throw TestKitError("nothing was asked: \(terminal.screen)") }
    for act in acts { try perform(act, terminal) }
    if let text { try terminal.read(until: text) }
    terminal.type("\u{3}")
    if terminal.master >= 0 { try terminal.readToEnd() }
    _ = try terminal.waitForExit()
    try judge(terminal, isAsked: isAsked)
    try forgetFingers()
  }

  /// A finger that nobody waited for is kept by the virtual reader, for the next one who asks.
  private mutating func forgetFingers() throws {
    credit = 0
    guard acts.contains(where: { [.rightFinger, .wrongFinger, .poorScan].contains($0) }) else { return }
    killChild("signet-reader")
    try scene.awaitNoChild(named: "signet-reader")
  }

  private mutating func perform(_ act: Act, _ terminal: PseudoTerminal) throws {
    switch act {
    case .rightFinger, .wrongFinger:
      guard (try? scene.reader.scan(act == .rightFinger ? "right" : "wrong")) != nil else { return }
      if act == .rightFinger { credit += 1 }
    case .poorScan: try? scene.reader.poorScan()
    case .halfLine: terminal.type("right")
    case .rightLine:
      terminal.type("\u{15}\(RunningDaemon.passcode)\n")
      credit += 1
    case .wrongLine: terminal.type("\u{15}wrong horse\n")
    case .longLine: terminal.type(String(repeating: "a", count: 600) + "\n")
    case .enter: terminal.type("\n")
    case .interrupt: terminal.type("\u{3}")
    case .endOfFile: terminal.type("\u{4}")
    case .quit: terminal.type("\u{1C}")
    case .resize: kill(terminal.pid, SIGWINCH)
    case .killHost: kill(terminal.pid, SIGKILL)
    case .endHost: kill(terminal.pid, SIGTERM)
    case .hangUp: terminal.hangUp()
    case .killReader: killChild("signet-reader")
    case .killCheck: killChild("signet-passcode")
    case .restartDaemon: try scene.restart(SIGKILL)
    case .unplug: try? scene.reader.unplug()
    case .plug: comeBack()
    }
  }

  /// A virtual reader that was pulled out comes back with a new process, when somebody asks for it.
  private func comeBack() {
    killChild("signet-reader")
    guard let other = try? scene.daemon.connect(), (try? other.authenticate(scene.daemon.user)) != nil else { return }
    _ = try? other.awaitArmed()
    try? other.cancel()
    _ = try? other.verdict()
  }

  private func killChild(_ name: String) {
    for pid in (try? ProcessLook(scene.daemon.pid).children(named: name)) ?? [] { kill(pid, SIGKILL) }
  }

  private mutating func judge(_ terminal: PseudoTerminal, isAsked: Bool) throws {
    let shown = terminal.screen.split(separator: "not recognised").count - 1
    misses += shown
    strikes += shown
    if terminal.screen.contains("\"step\":\"authenticate\",\"code\":\(PAM_SUCCESS)") {
      guard credit > 0 else { throw TestKitError("let in for nothing: \(terminal.screen)") }
      (credit, strikes) = (credit - 1, 0)
      successes += 1
    } else {
      refusals += 1
    }
    let kept = scene.daemon.strikesOnDisk ?? 0
    // The host may have been interrupted after signetd had found it right, which clears them a moment later.
    if acts.contains(.rightFinger) || acts.contains(.rightLine) { strikes = 0 }
    guard kept >= strikes else { throw TestKitError("\(strikes) misses were shown, and \(kept) strikes are on disk") }
    // Whoever was killed could not give the echo back.
    let wasKilled = acts.contains(.killHost) || acts.contains(.hangUp)
    guard wasKilled || terminal.echoes else { throw TestKitError("no echo: \(terminal.screen)") }
    // What is typed after the end, or behind a whole line, is the shell's to show.
    let isAlone = isAsked && acts.first == .rightLine && acts.filter { $0 == .rightLine }.count == 1
    guard !isAlone || !terminal.screen.contains(RunningDaemon.passcode) else {
      throw TestKitError("the passcode is shown: \(terminal.screen)")
    }
  }
}
