import SignetTestKit
import SignetVocabulary
import Testing

/// The second table: how an evaluation ends, with a completion handler and with `await`, in both language modes.
@Suite(.serialized) struct EvaluateTests {
  private static let forms = ["completion", "async"]

  @Test(arguments: languageModes)
  func `the first example of every tutorial unlocks`(mode: Int) throws {
    let scene = try Scene()
    let program = try scene.start("authenticate", mode: mode)
    try program.terminal.read(until: "We need to unlock your data.")
    try program.touch("right", scene.reader)
    #expect(try program.lines().contains("result unlocked"))
  }

  @Test(arguments: forms, languageModes)
  func `a finger succeeds, three misses fail`(form: String, mode: Int) throws {
    let scene = try Scene()
    let program = try scene.start("evaluate", form, "1", mode: mode)
    try program.touch("right", scene.reader)
    #expect(try program.lines().contains("evaluated true"))
    #expect(try scene.evaluate(form, 1) { try $0.miss(3, scene.reader) } == "evaluated authenticationFailed -1")
    #expect(try scene.evaluate(form, 2) { try $0.touch("right", scene.reader) } == "evaluated true")
  }

  @Test(arguments: forms)
  func `after three misses the device owner is asked for the passcode by itself`(form: String) throws {
    let scene = try Scene()
    let end = try scene.evaluate(form, 2) {
      try $0.miss(3, scene.reader)
      try $0.enterPasscode()
    }
    #expect(end == "evaluated true")
  }

  @Test(arguments: forms)
  func `three wrong passcodes fail`(form: String) throws {
    let scene = try Scene(enrolls: false)
    let end = try scene.evaluate(form, 2) { program in for _ in 1...3 { try program.enterPasscode("wrong") } }
    #expect(end == "evaluated authenticationFailed -1")
  }

  @Test(arguments: forms)
  func `Enter after a miss asks for the program's own fallback`(form: String) throws {
    let scene = try Scene()
    let end = try scene.evaluate(form, 1) {
      try $0.touch("wrong", scene.reader)
      try $0.askPasscode()
    }
    #expect(end == "evaluated userFallback -3")
  }

  @Test(arguments: forms)
  func `an empty passcode is the user's cancel`(form: String) throws {
    let scene = try Scene(enrolls: false)
    #expect(try scene.evaluate(form, 2) { try $0.enterPasscode("") } == "evaluated userCancel -2")
  }

  @Test(arguments: forms)
  func `nobody enrolled, nobody to ask, and an invalid context have errors of their own`(form: String) throws {
    let scene = try Scene(enrolls: false)
    #expect(try scene.evaluate(form, 1) == "evaluated biometryNotEnrolled -7")
    #expect(try scene.evaluate(form, 3) == "evaluated other -11")
    #expect(try scene.run("evaluate", form, "1", "silent").contains("evaluated biometryNotEnrolled -7"))
    #expect(try scene.run("evaluate", form, "2", "silent").contains("evaluated notInteractive -1004"))
    #expect(try scene.run("evaluate", form, "2", "invalid").contains("evaluated invalidContext -10"))
  }

  @Test func `a reader that is gone is not available`() throws {
    let daemon = try RunningDaemon()
    let program = try AppleProgram(["evaluate", "async", "1"], socket: daemon.socket)
    #expect(try program.line(beginning: "evaluated ") == "evaluated biometryNotAvailable -6")
  }

  @Test(arguments: ["invalidate", "cancel"])
  func `what is given up ends at once`(way: String) throws {
    let scene = try Scene()
    let program = try scene.start("evaluate", "async", "1", way, "2")
    try program.terminal.read(until: "the fingerprint reader")
    program.terminal.type("now\n")
    #expect(try program.line(beginning: "evaluated ") == "evaluated appCancel -9")
    if way == "invalidate" { #expect(try program.line(beginning: "evaluated ") == "evaluated invalidContext -10") }
    // Nothing was seen, so nothing was charged, and the reader is free for the next.
    try scene.daemon.awaitStrikes(0)
    #expect(try scene.evaluate("async", 1) { try $0.touch("right", scene.reader) } == "evaluated true")
  }

  @Test func `a reason has to be given`() throws {
    let scene = try Scene()
    let program = try scene.start("reasonless")
    #expect(try program.terminal.waitForExit() < 0)
    try program.terminal.readToEnd()
    #expect(program.terminal.screen.contains("Non-empty localizedReason must be provided."))
  }

  @Test(arguments: [
    (2, "finger", "true"), (8, "finger", "true"), (16, "passcode", "true"), (1, "passcode", "true"), (0, "none", "true"),
  ])
  func `an access control is proved as it says`(flags: Int, by: String, end: String) throws {
    let scene = try Scene()
    let program = try scene.start("control", "\(flags)")
    switch by {
    case "finger": try program.touch("right", scene.reader)
    case "passcode":
      if flags == 1 {
        try program.touch("wrong", scene.reader)
        try program.askPasscode()
      }
      try program.enterPasscode()
    default: break
    }
    #expect(try program.line(beginning: "control ") == "control \(end)")
  }

  @Test(arguments: languageModes)
  func `whoever has just typed the passcode stores the first item without it`(mode: Int) throws {
    let scene = try Scene(enrolls: false)
    let program = try scene.start("first", mode: mode)
    try program.enterPasscode()
    #expect(try program.line(beginning: "evaluated ") == "evaluated true")
    #expect(try program.lines().last == "end")
    #expect(program.terminal.screen.ranges(of: "Passcode: ").count == 1)
    #expect(try scene.daemon.connect().ask(.list(user: "")).items.map(\.item.name.account) == ["me"])
  }
}
