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
    let start = PAMHost.microseconds()
    let lines = try run(["alarm", "1", "evaluate", "2", "can", "2"], mode: "stop")
    #expect(lines.contains { $0.hasPrefix("evaluate error 1 -2 ") }, "\(lines)")
    #expect(PAMHost.microseconds() - start < 10_000_000)
  }

  @Test func `without anything to show no helper is started`() throws {
    let lines = try run(["can", "2", "list", "copy", "none"])
    #expect(lines.contains("can ok"))
    #expect(access(log, F_OK) != 0)
  }
}
