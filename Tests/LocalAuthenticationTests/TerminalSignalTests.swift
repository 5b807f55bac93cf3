import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A program whose main thread is in its run loop while another asks on the terminal: signals reach the main thread.
@Suite(.serialized) struct TerminalSignalTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func start(_ form: String, mode: Int) throws -> TerminalJob {
    try TerminalJob(
      [try ReaderChannel.program("apple-style-\(mode)"), "evaluate", form, "2"],
      environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(scene.daemon.socket)", "SWIFT_BACKTRACE=enable=no"])
  }

  private func lock() throws {
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
  }

  @Test(arguments: ["async", "completion"], languageModes)
  func `Ctrl-C during the scan ends the program with a whole terminal`(form: String, mode: Int) throws {
    let job = try start(form, mode: mode)
    try job.terminal.read(until: "the fingerprint reader")
    job.terminal.type("mine\n\u{3}")
    #expect(try job.end() == "\(-SIGINT) \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("mine"))
  }

  @Test(arguments: ["async", "completion"], languageModes)
  func `Ctrl-C at the question ends the program with a whole terminal`(form: String, mode: Int) throws {
    try lock()
    let job = try start(form, mode: mode)
    try job.terminal.read(until: "Passcode: ")
    #expect(!job.terminal.echoes)
    job.terminal.type("half\u{3}")
    #expect(try job.end() == "\(-SIGINT) \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("half"))
  }

  @Test(arguments: ["async", "completion"], languageModes)
  func `the suspend key stops with a whole terminal, and what goes on asks again`(form: String, mode: Int) throws {
    try lock()
    let job = try start(form, mode: mode)
    try job.terminal.read(until: "Passcode: ")
    #expect(try job.stop() == TerminalJob.clean)
    job.goOn()
    try job.terminal.read(until: "Passcode: ")
    #expect(!job.terminal.echoes)
    job.terminal.type(RunningDaemon.passcode + "\n")
    try job.terminal.read(until: "evaluated true")
    #expect(try job.end() == "0 \(TerminalJob.clean)")
  }
}
