import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A program without callbacks and without a terminal, on a desktop: another process shows and asks on its connection.
@Suite(.serialized) struct HelperTests {
  private let scene: Scene
  private var log: String { scene.daemon.folder + "/prompt.log" }

  init() throws {
    scene = try Scene()
    try scene.daemon.write("passcode", RunningDaemon.passcode)
  }

  private func run(_ words: [String], mode: String = "obey", whenever: [(String, () throws -> Void)] = []) throws -> [String] {
    let environment = [
      "DISPLAY=:77", "SIGNET_PROMPT=\(CProgram.source)prompt.py", "SIGNET_TEST_FOLDER=\(scene.daemon.folder)",
      "SIGNET_TEST_MODE=\(mode)",
    ]
    return try CProgram.client(
      ["default"] + words, at: scene.daemon.socket, environment: environment, launcher: ["setsid", "-w"], whenever: whenever)
  }

  private var told: String { get throws { try RawFile.text(log) } }

  @Test func `the helper shows and asks, and the program reads how it ended`() throws {
    let folder = scene.daemon.folder
    unlink(scene.strikesFile)
    try scene.restart()
    let lines = try run(["evaluate", "2", "copy", "none"])
    #expect(lines.contains("evaluate ok") && lines.contains("method 2"), "\(lines)")
    #expect(lines.last?.hasPrefix("copy error 2 -25300 ") == true)
    let told = try told
    #expect(told.contains("'--application', 'Test <client>', '--reason', 'to test'"), "\(told)")
    #expect(told.contains("descriptors [0, 1, 2, 3, 4]") && told.contains("ask "), "\(told) \(folder)")
    #expect(!told.contains(RunningDaemon.passcode))
  }

  @Test(arguments: ["nobody", "die"])
  func `a helper that cannot ask, or dies, is nobody to ask`(mode: String) throws {
    let lines = try run(["evaluate", "2", "can", "2"], mode: mode)
    #expect(lines.contains { $0.hasPrefix("evaluate error 1 -1004 ") }, "\(lines)")
    #expect(lines.contains("can ok"))
  }

  @Test func `a helper that stands still is ended with the request`() throws {
    let lines = try run(["alarm", "1", "evaluate", "2", "can", "2"], mode: "stop")
    #expect(lines.contains { $0.hasPrefix("evaluate error 1 -2 ") }, "\(lines)")
  }

  @Test func `without anything to show no helper is started`() throws {
    let lines = try run(["can", "2", "list", "copy", "none"])
    #expect(lines.contains("can ok"))
    #expect(access(log, F_OK) != 0)
  }

  /// The library in a prefix of its own, with a helper of this mode.
  private func runInstalled(_ mode: mode_t) throws -> [String] {
    let prefix = try makeTemporaryFolder("prefix")
    defer { removeTree(prefix) }
    for folder in ["lib", "lib/x", "libexec", "libexec/signet"] { mkdir("\(prefix)/\(folder)", 0o755) }
    let helper = "\(prefix)/libexec/signet/signet-prompt"
    for (file, copy) in [
      ("\(try CProgram.folder.get())/libsignet.so.0", "\(prefix)/lib/x/"), ("\(CProgram.source)prompt.py", helper),
    ] { _ = try Program.output(["cp", file, copy], environment: ["PATH=/usr/bin:/bin"]) }
    chmod(helper, mode)
    return try CProgram.client(
      ["default", "evaluate", "2"], at: scene.daemon.socket,
      environment: ["DISPLAY=:77", "SIGNET_TEST_FOLDER=\(scene.daemon.folder)"],
      launcher: ["setsid", "-w", "env", "LD_LIBRARY_PATH=\(prefix)/lib/x"])
  }

  @Test func `the helper is that of the library's own prefix, unless others may write it`() throws {
    unlink(scene.strikesFile)
    try scene.restart()
    #expect(try runInstalled(0o755).contains("evaluate ok"))
    #expect(try told.contains("ask "))
    #expect(try runInstalled(0o775).contains { $0.hasPrefix("evaluate error 1 -1004 ") })
  }
}
