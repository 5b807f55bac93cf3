import SignetTestKit
import SignetVocabulary
import Testing

/// The four states, as a sequence and through a delegate, as signetd tells them.
@Suite(.serialized) struct StateTests {
  @Test(arguments: languageModes)
  func `each change is told when it happens`(mode: Int) throws {
    let scene = try Scene()
    let program = try scene.start("states", mode: mode)
    func both(_ state: String) throws {
      // Their order is open.
      let first = try program.terminal.read(until: " \(state)")
      let other = first.contains("delegate \(state)") ? "state \(state)" : "delegate \(state)"
      try program.terminal.read(until: other)
    }
    try both("unconfirmed")
    program.terminal.type("evaluate\n")
    try program.touch("right", scene.reader)
    try both("confirmed")
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
    try both("lockdown")
    program.terminal.type("evaluate\n")
    try program.enterPasscode()
    try both("confirmed")
    #expect(try scene.enroll(.leftIndexFinger, as: "left").last == .done)
    try both("unconfirmed")
    scene.daemon.end(9)
    try both("notWorking")
    program.terminal.type("end\n")
    #expect(try program.lines().last == "end")
  }
}
