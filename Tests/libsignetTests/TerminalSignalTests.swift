import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A program with several threads that asks on a real terminal, and signals that reach any of its threads.
@Suite(.serialized) struct TerminalSignalTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func start(_ words: String...) throws -> TerminalJob {
    try TerminalJob([try CProgram.folder.get() + "/threads"] + words, environment: try CProgram.environment(scene.daemon.socket))
  }

  /// From now on the passcode is asked for, and no finger.
  private func lock() throws {
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
  }

  private func awaitQuestion(_ job: TerminalJob) throws {
    try job.terminal.read(until: "Passcode: ")
    #expect(!job.terminal.echoes)
  }

  @Test(arguments: ["main", "worker", "both", "steps"], ["\u{3}", "\u{1C}"])
  func `a key that ends the program during the scan leaves a whole terminal`(form: String, key: String) throws {
    let job = try start(form, "2")
    // The second one finds the reader busy, and asks for the passcode.
    try job.terminal.read(until: "across the fingerprint reader")
    if form == "both", !job.terminal.screen.contains("Passcode: ") { try job.terminal.read(until: "Passcode: ") }
    job.terminal.type("mine\n\(key)")
    #expect(try job.end() == "\(key == "\u{3}" ? -SIGINT : -SIGQUIT) \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("mine"))
  }

  @Test(arguments: ["main", "worker", "both", "steps"], ["\u{3}", "\u{1C}"])
  func `a key that ends the program at the question leaves a whole terminal`(form: String, key: String) throws {
    try lock()
    let job = try start(form, "2")
    try awaitQuestion(job)
    if form == "both" { try awaitQuestion(job) }
    job.terminal.type("half\(key)")
    #expect(try job.end() == "\(key == "\u{3}" ? -SIGINT : -SIGQUIT) \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("half"))
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func `so does a signal from elsewhere`(signal: Int32) throws {
    try lock()
    let job = try start("worker", "2")
    try job.terminal.read(until: "pid ")
    let pid = try #require(pid_t(try job.line()))
    try awaitQuestion(job)
    kill(pid, signal)
    #expect(try job.end() == "\(-signal) \(TerminalJob.clean)")
  }

  @Test(arguments: ["main", "worker", "steps"])
  func `the suspend key stops with a whole terminal, and what goes on asks again`(form: String) throws {
    try lock()
    let job = try start(form, "2")
    try awaitQuestion(job)
    job.terminal.type("half")
    #expect(try job.stop() == TerminalJob.clean)
    job.goOn()
    try awaitQuestion(job)
    job.terminal.type(RunningDaemon.passcode + "\n")
    try job.terminal.read(until: "evaluate 0")
    #expect(try job.end() == "0 \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("handler"))
  }

  @Test func `what goes on waits for the finger`() throws {
    let job = try start("worker", "1")
    try job.terminal.read(until: "the fingerprint reader")
    #expect(try job.stop() == TerminalJob.clean)
    job.goOn()
    try job.terminal.wait { !$0.echoes }
    job.terminal.type("mine\n")
    try scene.reader.scan("right")
    try job.terminal.read(until: "evaluate 0")
    #expect(try job.end() == "0 \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("mine"))
  }

  @Test func `the program's own handlers run, and are there afterwards`() throws {
    try lock()
    let job = try start("worker", "2", "handler")
    try awaitQuestion(job)
    job.terminal.type("\u{1A}")
    try job.terminal.read(until: "handler stop")
    try awaitQuestion(job)
    job.terminal.type("\u{3}")
    try job.terminal.read(until: "handler")
    try job.terminal.read(until: "evaluate -2")
    #expect(try job.end() == "0 \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("handler lost"))
  }

  @Test func `an ignored signal stays ignored`() throws {
    try lock()
    let job = try start("worker", "2", "ignore")
    try awaitQuestion(job)
    job.terminal.type("\u{3}" + RunningDaemon.passcode + "\n")
    try job.terminal.read(until: "evaluate 0")
    #expect(try job.end() == "0 \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("handler lost"))
  }

  @Test func `a handler that the program sets meanwhile is called, and kept`() throws {
    try lock()
    let job = try start("worker", "2", "handler")
    try job.terminal.read(until: "pid ")
    let pid = try #require(pid_t(try job.line()))
    try awaitQuestion(job)
    kill(pid, SIGUSR1)
    try job.terminal.read(until: "changed")
    job.terminal.type("\u{3}")
    try job.terminal.read(until: "other")
    job.terminal.type(RunningDaemon.passcode + "\n")
    try job.terminal.read(until: "evaluate 0")
    try job.terminal.read(until: "handler kept")
    #expect(try job.end() == "0 \(TerminalJob.clean)")
    #expect(!job.terminal.screen.contains("handler lost"))
  }

  @Test func `a thread that ends the program while another asks leaves a whole terminal`() throws {
    try lock()
    let job = try start("worker", "2", "exit")
    try job.terminal.read(until: "pid ")
    let pid = try #require(pid_t(try job.line()))
    try awaitQuestion(job)
    kill(pid, SIGUSR1)
    #expect(try job.end() == "7 \(TerminalJob.clean)")
  }
}
