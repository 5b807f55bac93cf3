import SignetTestKit
import SignetVocabulary
import Testing

/// The four states, as a sequence, through a delegate and in an observed object, as signetd tells them.
@Suite(.serialized) struct StateTests {
  @Test(arguments: languageModes)
  func `each change is told when it happens, in each form`(mode: Int) throws {
    let scene = try Scene()
    let program = try scene.start("states", mode: mode)
    try program.awaitState("unconfirmed")
    program.terminal.type("evaluate\n")
    try program.touch("right", scene.reader)
    try program.awaitState("confirmed")
    try scene.lock()
    try program.awaitState("lockdown")
    program.terminal.type("evaluate\n")
    try program.enterPasscode()
    try program.awaitState("confirmed")
    #expect(try scene.enroll(.leftIndexFinger, as: "left").last == .done)
    try program.awaitState("unconfirmed")
    scene.daemon.end(9)
    try program.awaitState("notWorking")
    program.terminal.type("end\n")
    #expect(try program.lines().last == "end")
  }

  @Test(arguments: languageModes)
  func `a reader that is gone is told of, that it is back, and a lock`(mode: Int) throws {
    let scene = try Scene()
    let program = try scene.start("states", mode: mode)
    try program.awaitState("unconfirmed")
    // While it is used: a virtual reader that lies idle tells nobody.
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user)
    try login.awaitArmed()
    try scene.reader.unplug()
    try program.awaitState("notWorking")
    // Until then the login has the reader.
    while true { if case .askPasscode = try login.next() { break } }
    try scene.attemptOnceBack("right")
    try program.awaitState("unconfirmed")
    try scene.lock()
    try program.awaitState("lockdown")
    program.terminal.type("end\n")
    #expect(try program.lines().last == "end")
  }

  @Test(arguments: languageModes)
  func `an observer of the environment that comes while another one goes is told of the next change`(mode: Int) throws {
    let scene = try Scene()
    let program = try scene.start("environment", mode: mode)
    for (name, change) in [("first", "open locked"), ("second", "locked open"), ("third", "open locked")] {
      try program.terminal.read(until: "observing")
      if change == "open locked" {
        try scene.lock()
      } else {
        #expect(try scene.evaluate("async", 2) { try $0.enterPasscode() } == "evaluated true")
      }
      try program.terminal.read(until: "\(name) \(change)")
      program.terminal.type("\n")
    }
    #expect(try program.lines().last == "end")
  }

  @Test(arguments: languageModes)
  func `the domain state changes with the enrolled set, and with nothing else`(mode: Int) throws {
    let scene = try Scene()
    let program = try scene.start("domain", mode: mode)
    func look() throws -> String {
      program.terminal.type("\n")
      return try program.line(beginning: "domain true ")
    }
    let first = try program.line(beginning: "domain true ")
    #expect(try look() == first)
    #expect(try scene.enroll(.leftIndexFinger, as: "left").last == .done)
    let second = try look()
    #expect(second != first)
    try scene.restart()
    #expect(try look() == second)
    try scene.delete(.leftIndexFinger)
    #expect(try look() != second)
  }
}

extension AppleProgram {
  /// Waits until each form has told of a state, in whatever order.
  fileprivate func awaitState(_ state: String) throws {
    var forms: Set<String> = []
    while forms.count < 3 {
      let told = try terminal.read(until: " \(state)")
      forms.insert(told.split { $0.isWhitespace || $0.isNewline }.dropLast().last.map(String.init) ?? "")
    }
    guard forms == ["state", "delegate", "observed"] else { throw TestKitError("\(forms)") }
  }
}

extension Scene {
  fileprivate func lock() throws {
    let client = try daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
  }

  fileprivate func delete(_ finger: Finger) throws {
    let client = try daemon.connect()
    try client.send(.delete(user: "", finger))
    while true {
      let reply = try client.nextAdministration()
      if case .askPasscode = reply { try client.answer(passcode: RunningDaemon.passcode) }
      if reply == .done { return }
    }
  }
}
