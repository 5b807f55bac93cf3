import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Many contexts and threads of one process, and a fork: what is left behind, and who has proved what.
@Suite(.serialized) struct CrowdTests {
  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The one that was built with a sanitizer (`make tsan`), to be used in the place of the usual one, in fewer turns.
  private let instrumented = variable("SIGNET_SANITIZED_CROWD")

  private func start(_ words: [String], _ scene: Scene) throws -> TerminalProgram {
    // A child of several threads may begin threads of its own, which the thread sanitizer forbids where nobody says so.
    let options = ["TSAN_OPTIONS", "ASAN_OPTIONS"].compactMap { name in
      Self.variable(name).map { "\(name)=\($0)" + (name == "TSAN_OPTIONS" ? " die_after_fork=0" : "") }
    }
    return try TerminalProgram(
      [try instrumented ?? ReaderChannel.program("apple-crowd")] + words,
      environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(scene.daemon.socket)", "SWIFT_BACKTRACE=enable=no"] + options)
  }

  @Test(.timeLimit(.minutes(5))) func `a thousand contexts and a hundred threads leave nothing behind`() throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try start([instrumented == nil ? "10" : "3"], scene)
    let left = try program.terminal.read(until: "contexts 0", within: 240_000).split(separator: " ").suffix(5)
    // The common context and the two that the keychain keeps have connections or not, as signetd had room: two descriptors each.
    #expect(left.first.flatMap { Int($0) }.map { $0 <= 6 } == true, "\(left)")
    #expect(left.dropFirst() == ["threads", "0", "contexts", "0"], "\(left)")
    let answers = try program.line(beginning: "answers ").split(separator: " ").compactMap { Int($0) }
    // Most of them find a place, or there was no crowd.
    #expect(answers.count == 2 && answers[1] * 2 < answers[0], "\(answers)")
    try program.terminal.readToEnd(within: 60_000)
    #expect(try program.terminal.waitForExit() == 0, "\(program.terminal.screen)")
    try scene.daemon.awaitStrikes(0)
  }

  /// The calls take turns: with a connection each there would be no place for most, which says that there is no keychain.
  @Test(.timeLimit(.minutes(4))) func `fifty threads of two programs read what they have just stored, and nothing else`() throws {
    let scene = try Scene()
    try scene.openSession()
    let programs = try ["first", "second"].map { try start(["stores", $0], scene) }
    for program in programs {
      try program.terminal.readToEnd(within: 200_000)
      #expect(program.terminal.screen.contains("wrong []"), "\(program.terminal.screen)")
    }
  }

  @Test func `a hundred threads sign by one key, and each signature is right`() throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try start(["keys", "3"], scene)
    for word in ["threads", "reused"] { #expect(try program.line(beginning: "\(word) ") != "\(word) 0") }
    try program.terminal.readToEnd(within: 60_000)
    #expect(!program.terminal.screen.contains("failed"), "\(program.terminal.screen)")
  }

  @Test func `a forked child has proved nothing, hangs nowhere, and takes nothing from its parent`() throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try start(["fork"], scene)
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "parent ") == "parent 0")
    try program.terminal.read(until: "the fingerprint reader")
    program.terminal.type("now\n")
    for _ in 1...2 {
      #expect(try program.line(beginning: "can ") == "can true")
      #expect(try program.line(beginning: "copy ") == "copy -25308")
      #expect(try program.line(beginning: "evaluate ") == "evaluate -1004")
      #expect(try program.line(beginning: "invalid ") == "invalid -10 -25293")
    }
    #expect(try program.line(beginning: "own ") == "own -1004")
    #expect(try program.line(beginning: "child ") == "child 0")
    try scene.reader.scan("right")
    #expect(try program.line(beginning: "pending ") == "pending true")
    // What the parent proved is its own still: nothing is asked.
    #expect(try program.line(beginning: "read ") == "read 0")
  }
}
