import SignetTestKit
import SignetVocabulary
import Testing

/// Libraries that were written for Apple's systems, unchanged, over a real signetd.
@Suite(.serialized) struct LibraryTests {
  private func start(_ words: String..., in scene: Scene) throws -> TerminalProgram {
    try TerminalProgram(
      [try ReaderChannel.program("apple-libraries")] + words,
      environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(scene.daemon.socket)", "SWIFT_BACKTRACE=enable=no"])
  }

  @Test func `a wrapper of any value stores, lists, tells groups apart and removes everything`() throws {
    let scene = try Scene()
    try scene.openSession()
    #expect(
      try start("chest", in: scene).lines() == [
        "empty nil", "found 123", "keys c,a,b", "changed changed", "keys a,b", "synchronizable no,no,yes", "group true", "own 3",
        "other failed missingEntitlement", "removed 0", "removed ()", "end",
      ])
  }

  @Test func `a library that imports Foundation only is built in either way, and works`() throws {
    let scene = try Scene()
    try scene.openSession()
    #expect(
      try start("plain", in: scene).lines() == [
        "key 48", "saved ()", "loaded p", "lost The specified item could not be found in the keychain.", "end",
      ])
  }

  @Test func `a library of keys keeps both halves, opens by a finger what was sealed for it, and keeps a key of its own`() throws
  {
    let scene = try Scene()
    try scene.openSession()
    let program = try start("keys", in: scene)
    #expect(try program.line(beginning: "none ") == "none failed failed(-25300)")
    #expect(try program.line(beginning: "generated ") == "generated true")
    #expect(try program.line(beginning: "both ") == "both true")
    for outcome in ["opened a secret", "altered failed other"] {
      try program.touch("right", scene.reader)
      #expect(try program.line(beginning: String(outcome.prefix(7))).hasPrefix(outcome))
    }
    #expect(try program.line(beginning: "pem ") == "pem [26, 64, 60, 24]")
    #expect(try program.line(beginning: "cleared ") == "cleared true")
    #expect(try program.line(beginning: "none ") == "none failed failed(-25300)")
    #expect(try program.line(beginning: "brought ") == "brought true")
    #expect(try program.line(beginning: "cleared ") == "cleared true")
  }

  @Test func `a library for fingers asks once for what its context proves, and again for another one`() throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try start("safe", in: scene)
    #expect(try program.line(beginning: "biometry ") == "biometry touch")
    #expect(try program.line(beginning: "environment ") == "environment true true false 2 0")
    #expect(try program.line(beginning: "state ") == "state true")
    #expect(try program.line(beginning: "control ") == "control failed accessControl(-50, \"NSLocalizedDescription\")")
    #expect(try program.line(beginning: "stored ") == "stored ()")
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "loaded ") == "loaded one")
    #expect(try program.line(beginning: "stored ") == "stored ()")
    #expect(try program.line(beginning: "loaded ") == "loaded two")
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "confirmed ") == "confirmed true")
  }
}
