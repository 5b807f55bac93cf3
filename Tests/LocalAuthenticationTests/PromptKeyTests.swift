import SignetTestKit
import SignetVocabulary
import Testing

/// What the owner can press at a program's prompt, and what stands there.
@Suite(.serialized) struct PromptKeyTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func start(_ form: Form, _ policy: Int) throws -> TerminalProgram {
    try form.evaluating(policy, at: scene.daemon.socket)
  }

  @Test(arguments: Form.allCases) func `Enter before the first miss asks for the passcode where the policy has one`(form: Form)
    throws
  {
    let program = try start(form, 2)
    try program.terminal.read(until: "press Enter for the passcode")
    try program.terminal.wait { !$0.echoes }
    program.terminal.type("\n")
    try program.enterPasscode()
    #expect(try form.outcome(program, of: form.evaluated) == 0)
    try scene.daemon.awaitStrikes(0)
  }

  @Test(arguments: [Form.inC, .completion6], ["\u{1B}", "\u{4}"])
  func `Esc and Ctrl-D cancel, at the reader and at the question`(form: Form, key: String) throws {
    var program = try start(form, 2)
    try program.terminal.read(until: "press Enter for the passcode")
    try program.terminal.wait { !$0.echoes }
    program.terminal.type(key)
    #expect(try form.outcome(program, of: form.evaluated) == -2)
    program = try start(form, 2)
    try program.terminal.read(until: "press Enter for the passcode")
    try program.terminal.wait { !$0.echoes }
    program.terminal.type("\n")
    try program.terminal.read(until: "Passcode: ")
    program.terminal.type("half" + key)
    // A line that has begun is handed over by the first Ctrl-D already.
    #expect(try form.outcome(program, of: form.evaluated) == -2)
    #expect(!program.terminal.screen.contains("half"))
    try scene.daemon.awaitStrikes(0)
  }

  @Test(arguments: [Form.inC, .completion6])
  func `the third miss asks for no passcode where none is taken`(form: Form) throws {
    let program = try start(form, 1)
    try program.miss(3, scene.reader)
    #expect(try form.outcome(program, of: form.evaluated) == -1)
    #expect(program.terminal.screen.contains("No fingerprint attempts left"))
    #expect(!program.terminal.screen.contains("Enter your passcode"))
  }

  @Test(arguments: Form.allCases)
  func `a program that asks while another prompts is told that it was second, not that there is no reader`(form: Form) throws {
    let first = try start(form, 1)
    try first.terminal.read(until: "the fingerprint reader")
    let second = try start(form, 1)
    #expect(try form.outcome(second, of: form.evaluated) == -4)
    try scene.reader.scan("right")
    #expect(try form.outcome(first, of: form.evaluated) == 0)
  }

  @Test func `who gives no reason is named, with nothing behind it`() throws {
    try scene.openSession()
    let program = try Form.completion6.calling(["add", "mail", "horse", "2", "copy", "mail"], at: scene.daemon.socket)
    try program.touch("right", scene.reader)
    #expect(try Form.completion6.outcome(program, of: "copy") == 0)
    #expect(!program.terminal.screen.contains("apple-style-6: "))
    #expect(program.terminal.screen.contains("apple-style-6"))
  }
}
