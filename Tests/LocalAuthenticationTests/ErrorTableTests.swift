import Glibc
import LocalAuthentication
import SignetTestKit
import SignetVocabulary
import Testing

/// Each error of `LAError`, provoked by a program in each form. The compiler names a code that has no situation.
@Suite(.serialized) struct ErrorTableTests {
  private static let provoked = LAError.Code.all.filter { $0.situation != nil }

  @Test(arguments: provoked, Form.allCases)
  func `each error is told alike in C, to a completion handler and by await`(code: LAError.Code, form: Form) throws {
    let situation = try #require(code.situation)
    let scene = try situation.makeScene()
    let program = try form.evaluating(situation.policy, situation.settings, at: scene.daemon.socket)
    try situation.owner(program, scene)
    let expected = form == .inC ? situation.inC ?? code.rawValue : code.rawValue
    #expect(try form.outcome(program, of: form.evaluated) == expected, "\(program.terminal.screen)")
  }

  @Test func `the table has Apple's codes, and names those that nothing here leads to`() {
    #expect(LAError.Code.all.map(\.rawValue) == [-1004, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1])
    #expect(LAError.Code.all.filter { $0.situation == nil } == [.invalidDimensions, .biometryDisconnected, .biometryNotPaired])
  }

  @Test(arguments: Form.allCases) func `a second evaluation in a context is the system's cancel, and the first goes on`(
    form: Form
  ) throws {
    let scene = try Scene()
    let program = try form.evaluating(1, [.againWhenTyped], at: scene.daemon.socket)
    try program.terminal.read(until: "the fingerprint reader")
    program.terminal.type("now\n")
    #expect(try form.outcome(program, of: "again") == -4)
    try scene.reader.scan("right")
    #expect(try form.outcome(program, of: form.evaluated) == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: nobody else may say that the machine sleeps"), arguments: Form.allCases)
  func `the machine's sleep is the system's cancel`(form: Form) throws {
    let scene = try Scene()
    let program = try form.evaluating(1, at: scene.daemon.socket)
    try program.terminal.read(until: "the fingerprint reader")
    let machine = try scene.daemon.connect()
    try machine.send(.suspend)
    #expect(try machine.nextAdministration() == .done)
    #expect(try form.outcome(program, of: form.evaluated) == -4)
  }

  @Test(arguments: Form.allCases) func `a signetd that is killed while the owner is asked is no reader`(form: Form) throws {
    let scene = try Scene()
    let program = try form.evaluating(2, at: scene.daemon.socket)
    try program.terminal.read(until: "the fingerprint reader")
    scene.daemon.end(SIGKILL)
    #expect(try form.outcome(program, of: form.evaluated) == -6)
  }

  /// So many wrong passcodes, and what comes of it.
  private func guess(_ times: Int, _ form: Form, _ scene: Scene) throws -> TerminalProgram {
    let program = try form.evaluating(2, at: scene.daemon.socket)
    for _ in 0..<times { try program.enterPasscode("wrong") }
    return program
  }

  @Test(arguments: Form.allCases) func `five wrong passcodes delay the sixth, and every form is told`(guesser: Form) throws {
    let scene = try Scene(enrolls: false)
    for times in [3, 2] {
      let program = try guess(times, guesser, scene)
      #expect(try guesser.outcome(program, of: guesser.evaluated) == -1)
    }
    for form in Form.allCases {
      let program = try guess(0, form, scene)
      #expect(try form.outcome(program, of: form.evaluated) == -1)
      // The right one is not even asked for.
      #expect(program.terminal.screen.contains("oo many wrong passcodes"), "\(program.terminal.screen)")
      #expect(!program.terminal.screen.contains("Passcode:"))
    }
  }
}
