import CLinux
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Swift programs whose request is given up, or whose signetd ends, at each step of it.
@Suite(.serialized) struct StepTests {
  typealias Step = ScriptedDaemon.Step

  private static let evaluation: [Step] = [
    .expect(.context), .send(Packet.done), .expect(.evaluate), .send(Packet.heartbeat), .send(Packet.show(.touchReader)),
    .send(Packet.show(.notRecognised, value: 2)), .send(Packet.askPasscode(.misses)),
  ]
  private static let reading: [Step] = [
    .expect(.context), .send(Packet.done), .expect(.vaultRead), .send(Packet.show(.touchReader)),
    .send(Packet.show(.notRecognised, value: 2)), .send(Packet.value(10, Array("horse".utf8))),
  ]
  private static let readings = Array(0...reading.count)

  /// A program whose wish to give up comes by a pipe: what is typed belongs to the prompts.
  private final class Piped {
    let program: TerminalProgram
    private let writer: Int32

    init(_ words: [String], mode: Int, _ daemon: ScriptedDaemon) throws {
      var ends: [Int32] = [-1, -1]
      guard clinux_pipe(&ends) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
      defer { close(ends[0]) }
      writer = ends[1]
      program = try TerminalProgram(words + ["piped"], mode: mode, socket: daemon.path, inherited: [3: ends[0]])
    }

    deinit { close(writer) }

    func giveUp() { _ = write(writer, "x", 1) }
  }

  private func givenUp(_ words: [String], _ form: Form, _ steps: [Step]) throws -> (
    program: TerminalProgram, daemon: ScriptedDaemon
  ) {
    let daemon = try ScriptedDaemon(steps + [.silence])
    let piped = try Piped(words, mode: form.mode, daemon)
    try daemon.awaitSteps(steps.count)
    piped.giveUp()
    return (piped.program, daemon)
  }

  @Test(arguments: Array(0...evaluation.count), ["completion invalidate", "async invalidate", "async cancel"])
  func `an evaluation that is given up at any step says so`(count: Int, way: String) throws {
    let words = way.split(separator: " ").map(String.init)
    let form = count % 2 == 0 ? Form.completion5 : .completion6
    let given = try givenUp(["evaluate", words[0], "2", words[1]], form, Array(Self.evaluation[..<count]))
    // signetd says nothing more.
    #expect(try form.outcome(given.program, of: "evaluated") == -9)
    try given.program.terminal.readToEnd()
    #expect(given.program.terminal.echoes)
    try given.daemon.finish()
  }

  @Test(arguments: readings, [Form.completion5, .async6])
  func `a read whose context is invalidated at any step opens nothing`(count: Int, form: Form) throws {
    let words = ["items", form.isAsync ? "task" : "sync", "context", "typed", "copy", "mail", "copy", "mail"]
    let given = try givenUp(words, form, Array(Self.reading[..<count]))
    for _ in 1...2 { #expect(try form.outcome(given.program, of: "copy") == -25_293) }
    #expect(!given.program.terminal.screen.contains("value"))
    try given.daemon.finish()
  }

  @Test(arguments: Array(0...evaluation.count), [Form.completion5, .async6])
  func `an evaluation whose signetd ends at any step proves nothing, and the next finds the next one`(count: Int, form: Form)
    throws
  {
    let daemon = try ScriptedDaemon(
      Array(Self.evaluation[..<count]),
      Array(Self.evaluation[..<3]) + [.send(Packet.evaluated(.success, .fingerprint)), .silence])
    let words = ["evaluate", form.isAsync ? "async" : "completion", "2", "twice", "2"]
    let program = try TerminalProgram(words, mode: form.mode, socket: daemon.path)
    #expect(try form.outcome(program, of: "evaluated") == -6)
    #expect(try form.outcome(program, of: "evaluated") == 0)
    try daemon.finish()
  }

  @Test(arguments: readings, [Form.completion5, .async6])
  func `a read whose signetd ends at any step opens nothing, and the next finds the next one`(count: Int, form: Form) throws {
    let daemon = try ScriptedDaemon(
      Array(Self.reading[..<count]),
      Array(Self.reading[..<3]) + [.send(Packet.value(5, Array("horse".utf8))), .send(Packet.done), .silence])
    let words = ["items", form.isAsync ? "task" : "sync", "copy", "mail", "copy", "mail"]
    let program = try TerminalProgram(words, mode: form.mode, socket: daemon.path)
    #expect(try form.outcome(program, of: "copy") == -25_291)
    #expect(try program.line(beginning: "value ") == "value horse")
    #expect(try form.outcome(program, of: "copy") == 0)
    #expect(program.terminal.screen.ranges(of: "value").count == 1)
    try daemon.finish()
  }
}
