import Glibc
import SignetBytes
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The real signet-prompt, between a signetd and a caller that the test plays, with somebody who shows notifications on a bus
/// of the test's own.
@Suite(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
struct PromptTests {
  private let bus: PrivateBus
  private let server: NotificationServer

  init() throws {
    bus = try PrivateBus()
    server = try NotificationServer(on: bus)
  }

  private func start(_ words: [String] = PromptRun.words, _ variables: String...) throws -> PromptRun {
    try PromptRun(words, environment: ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)"] + variables)
  }

  @Test func `a finger is asked for, a miss changes the notification, and the answer is the caller's`() throws {
    let run = try start()
    try run.send([PacketLimit.version, ReplyKind.heartbeat.rawValue])
    try run.show(.touchReader)
    let first = try server.next()
    #expect(first.summary == "mail wants your finger" && first.body == "read the post\nTouch the fingerprint reader")
    #expect(first.actions == ["cancel", "Cancel"] && first.urgency == 2 && first.timeout == 0 && first.replaces == 0)
    try run.show(.notRecognised, value: 2)
    let second = try server.next()
    #expect(second.replaces == first.number && second.number == first.number)
    #expect(second.body == "read the post\nFingerprint not recognised, 2 attempts left\nTouch the fingerprint reader")
    #expect(second.actions == ["cancel", "Cancel", "passcode", "Enter Passcode"])
    try run.send(PromptRun.done)
    #expect(try server.next() == .closing(first.number))
    #expect(try run.waitForExit() == 0)
    #expect(try run.leftForCaller() == PromptRun.done)
    #expect(!run.hasRequest)
  }

  /// Whatever signetd may say that is not for the user, and what nobody can read.
  @Test(
    arguments: [
      [1, 67, 1, 0, 0, 0, 0, 0], [1, 69, 1, 0, 0, 0, 1, 0, 65], [1, 68], [1, 81, 1], [1, 82], [1, 83, 11], [1, 84, 1],
      [1, 70, 165, 1],
      [2, 64], [1], [1, 64, 0], [1, 65, 99, 0, 0, 0], [1, 66, 0], [1, 250],
    ] as [[UInt8]])
  func `what is not for the user is left as it came`(packet: [UInt8]) throws {
    let run = try start()
    try run.send(packet)
    #expect(try run.waitForExit() == 0)
    #expect(try run.leftForCaller() == packet)
  }

  @Test func `signetd that closes the connection ends it`() throws {
    let run = try start()
    try run.show(.touchReader)
    _ = try server.next()
    run.closeDaemon()
    #expect(try run.waitForExit() == 0)
  }

  @Test func `a caller that goes away takes the notification with it, and nothing is sent`() throws {
    let run = try start()
    try run.show(.touchReader)
    let shown = try server.next()
    run.closePipe()
    #expect(try server.next() == .closing(shown.number))
    #expect(try run.waitForExit() == 0)
    #expect(!run.hasRequest)
  }

  @Test func `the button that cancels, and closing the notification, cancel the request`() throws {
    for isButton in [true, false] {
      let run = try start()
      try run.show(.touchReader)
      let shown = try server.next()
      if isButton { try server.choose("cancel", of: shown.number) } else { try server.close(shown.number, reason: 2) }
      #expect(try run.request() == PromptRun.plain(.cancel))
      #expect(try run.waitForExit() == 0)
      if isButton { #expect(try server.next() == .closing(shown.number)) }
    }
  }

  @Test func `a notification that expires, or is another's, cancels nothing and comes back with the next change`() throws {
    let run = try start()
    try run.show(.touchReader)
    let shown = try server.next()
    try server.close(shown.number + 7, reason: 2)
    try server.choose("cancel", of: shown.number + 7)
    try server.close(shown.number, reason: 1)
    // The bus and signetd are two ways: a change may be shown before it is known that the notification has gone.
    var isNew = false
    for round: UInt8 in 0..<200 where !isNew {
      try run.show(.scanAgain, value: 1 + round % 2)
      isNew = try server.next().replaces == 0
    }
    #expect(isNew)
    #expect(!run.hasRequest)
  }

  /// It is told of anybody on the bus who says the same things.
  @Test func `signals of somebody who is not the server are nobody's`() throws {
    let run = try start()
    try run.show(.touchReader)
    let shown = try server.next()
    let impostor = try NotificationServer(on: bus)
    try impostor.choose("cancel", of: shown.number)
    try impostor.close(shown.number, reason: 2)
    try run.show(.notRecognised, value: 2)
    #expect(try server.next().actions?.contains("passcode") == true)
    // What is said on the bus comes in the order in which it was said.
    try server.choose("passcode", of: shown.number)
    #expect(try run.request() == PromptRun.plain(.fallback))
  }

  @Test func `after a miss the passcode can be chosen, which pinentry asks for and only signetd gets`() throws {
    let pinentry = try ScriptedPinentry("echo 'D right%20horse'; echo OK")
    let run = try start(PromptRun.words, pinentry.variable, "PASSWORD_OF_MINE=1")
    try run.show(.touchReader)
    let shown = try server.next()
    try run.show(.notRecognised, value: 2)
    _ = try server.next()
    try server.choose("passcode", of: shown.number)
    #expect(try run.request() == PromptRun.plain(.fallback))
    #expect(try server.next() == .closing(shown.number))
    // As servers say of themselves that close what a button was chosen of.
    try server.close(shown.number, reason: 2)
    try run.askPasscode(.userFallback)
    #expect(try run.request() == PromptRun.passcode("right horse"))
    let told = try RawFile.text(pinentry.log)
    #expect(told.contains("SETDESC mail wants your passcode%0Aread the post\n") && told.contains("GETPIN"))
    let known = try RawFile.text(pinentry.path + ".environ")
    #expect(!known.contains("PASSWORD_OF_MINE") && !known.contains("SIGNET") && known.contains("DBUS_SESSION_BUS_ADDRESS="))
    // The shell itself opens some from 10 on.
    let descriptors = try RawFile.text(pinentry.path + ".descriptors").split(separator: "\n").compactMap { Int($0) }
    #expect(descriptors.contains(1) && !descriptors.contains { (3...9).contains($0) || $0 > 20 })
    try run.send(PromptRun.done)
    #expect(try run.waitForExit() == 0)
    #expect(try run.leftForCaller() == PromptRun.done)
  }

  @Test func `a wrong passcode is asked for again in the same run`() throws {
    let pinentry = try ScriptedPinentry("echo 'D x'; echo OK")
    let run = try start(PromptRun.words, pinentry.variable)
    try run.askPasscode()
    #expect(try run.request() == PromptRun.passcode("x"))
    try run.show(.wrongPasscode, value: 2)
    try run.askPasscode(.wrongPasscode)
    #expect(try run.request() == PromptRun.passcode("x"))
    #expect(try RawFile.text(pinentry.log).contains("SETERROR Wrong passcode, 2 attempts left\n"))
  }

  @Test(arguments: [
    ("echo 'ERR 83886179 cancelled'", 3), ("echo OK", 0), ("printf 'D %0600d\\nOK\\n' 0", 0),
  ])
  func `an answer that is none is no passcode: three of them cancel`(answer: String, never: Int) throws {
    let pinentry = try ScriptedPinentry(answer)
    let run = try start(PromptRun.words, pinentry.variable)
    try run.askPasscode()
    #expect(try run.request() == PromptRun.plain(.cancel))
    #expect(try run.waitForExit() == 0)
    let times = try RawFile.text(pinentry.log).split(separator: "\n").count { $0.hasPrefix("GETPIN") }
    #expect(times == (never == 3 ? 1 : 3))
  }

  @Test(arguments: [
    "exit", "echo nonsense", "printf 'D %%4'; echo; echo OK", "yes '# more'", "echo 'ERR 83918929 no terminal'",
    "head -c 100000 /dev/zero", "echo INQUIRE x",
  ])
  func `a pinentry that breaks, or says what is not in the protocol, is nobody to ask`(answer: String) throws {
    let pinentry = try ScriptedPinentry(answer)
    let run = try start(PromptRun.words, pinentry.variable)
    try run.askPasscode()
    #expect(try run.waitForExit() == 2)
    #expect(!run.hasRequest)
  }

  @Test func `without pinentry there is nobody to ask for the passcode`() throws {
    let run = try start(PromptRun.words, "SIGNET_PINENTRY=/proc/nonexistent")
    try run.askPasscode()
    #expect(try run.waitForExit() == 2)
  }

  @Test func `pinentry goes when signetd decides, or the caller goes, while it asks`() throws {
    for isCaller in [true, false] {
      let pinentry = try ScriptedPinentry("echo $$ > $0.pid; mv $0.pid $0.asks; exec sleep 1000")
      let run = try start(PromptRun.words, pinentry.variable)
      try run.askPasscode()
      let asks = pinentry.path + ".asks"
      try waitForFile(asks)
      let pid = try #require(pid_t(RawFile.text(asks).split(separator: "\n")[0]))
      if isCaller { run.closePipe() } else { try run.send(PromptRun.done) }
      #expect(try run.waitForExit() == 0)
      #expect(kill(pid, 0) != 0)
      #expect(!run.hasRequest)
    }
  }

  @Test func `a server that does not answer holds up neither the finger nor the end`() throws {
    try server.hold()
    let run = try start()
    try run.show(.touchReader)
    _ = try server.next()
    try run.show(.notRecognised, value: 2)
    try run.send(PromptRun.done)
    #expect(try run.waitForExit() == 0)
  }

  @Test func `while the server has not answered only the latest is kept for it`() throws {
    try server.hold()
    let run = try start()
    try run.show(.touchReader)
    _ = try server.next()
    for left: UInt8 in [2, 1, 0] { try run.show(.notRecognised, value: left) }
    try run.show(.scanAgain, value: 1)
    try run.awaitRead()
    try server.goOn()
    #expect(try server.next().body?.contains("Scan again: the touch was too short\n") == true)
  }

  // MARK: Without notifications

  @Test func `without a server of notifications pinentry shows that a finger is wanted`() throws {
    try server.end()
    let pinentry = try ScriptedPinentry("if [ $verb = CONFIRM ]; then echo OK; else touch $0.asks; exec sleep 1000; fi")
    let run = try start(PromptRun.words, pinentry.variable)
    try run.show(.touchReader)
    try waitForFile(pinentry.path + ".asks")
    let told = try RawFile.text(pinentry.log)
    #expect(told.contains("SETDESC mail wants your finger%0Aread the post%0ATouch the fingerprint reader"))
    #expect(told.contains("SETOK Cancel") && told.contains("MESSAGE"))
    // The finger goes on: a miss offers the passcode, which is chosen here at once.
    try run.show(.notRecognised, value: 2)
    #expect(try run.request() == PromptRun.plain(.fallback))
  }

  @Test func `with neither of them it says so, whatever signetd wants`() throws {
    try server.end()
    let run = try start(PromptRun.words, "SIGNET_PINENTRY=/proc/nonexistent")
    try run.show(.touchReader)
    #expect(try run.waitForExit() == 2)
    let lonely = try PromptRun(environment: ["SIGNET_PINENTRY=/proc/nonexistent"])
    try lonely.show(.touchReader)
    #expect(try lonely.waitForExit() == 2)
  }

  @Test func `a server that dies in the middle leaves the finger to pinentry`() throws {
    let pinentry = try ScriptedPinentry("touch $0.asks; exec sleep 1000")
    let run = try start(PromptRun.words, pinentry.variable)
    try run.show(.touchReader)
    _ = try server.next()
    try server.end()
    try waitForFile(pinentry.path + ".asks")
    #expect(!run.hasRequest)
  }

  // MARK: What it keeps to itself

  @Test func `nothing of its memory is to be read, in a core file or by a debugger`() throws {
    let run = try start()
    try run.show(.touchReader)
    _ = try server.next()
    #expect(try RawFile.text("/proc/\(run.pid)/limits").contains(/Max core file size +0 +0/))
    var status = stat()
    // What is not dumpable belongs to root, whoever runs it.
    #expect(stat("/proc/\(run.pid)/mem", &status) == 0 && status.st_uid == 0)
    #expect(try !RawFile.text("/proc/\(run.pid)/status").contains("CoreDumping:\t1"))
  }

  @Test(arguments: [["--unknown", "x"], ["--reason"]])
  func `a bad command line ends it before anything is taken`(words: [String]) throws {
    let run = try start(words)
    try run.show(.touchReader)
    #expect(try run.waitForExit() == 1)
    #expect(try run.leftForCaller()?.count == 6)
  }

  private func waitForFile(_ path: String) throws {
    try SignetTestKit.wait(for: path) { access(path, F_OK) == 0 }
  }
}
