import SignetTestKit
import SignetVocabulary
import Testing

/// Refresh tokens in the vault of a real signetd.
@Suite(.serialized) struct TokenStorageTests {
  private func start(_ scene: Scene, _ words: String...) throws -> TerminalProgram {
    try TerminalProgram(
      [try ReaderChannel.program("token-vault")] + words,
      environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(scene.daemon.socket)", "SWIFT_BACKTRACE=enable=no"])
  }

  @Test func `a token is stored without a question, and released for a finger`() throws {
    let scene = try Scene()
    try scene.openSession()
    #expect(try start(scene, "load", "store", "replace").lines() == ["loaded nothing", "stored", "replaced"])
    let loading = try start(scene, "load", "delete", "load", "delete")
    try loading.terminal.read(until: "sign in at issuer.example")
    try loading.touch("right", scene.reader)
    #expect(try loading.line(beginning: "loaded ") == "loaded second")
    #expect(try loading.line(beginning: "loaded ") == "loaded nothing")
  }

  @Test func `a new finger closes it, which is said, and a new sign-in binds anew`() throws {
    let scene = try Scene()
    try scene.openSession()
    #expect(try start(scene, "store").lines() == ["stored"])
    #expect(try scene.enroll(.leftIndexFinger, as: "left").last == .done)
    let failed = try start(scene, "load")
    #expect(try failed.line(beginning: "failed ").hasPrefix("failed The enrolled fingers have changed"))
    let again = try start(scene, "replace", "load")
    try again.touch("left", scene.reader)
    #expect(try again.line(beginning: "loaded ") == "loaded second")
  }

  @Test func `misses do not release it, and the token stays`() throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try start(scene, "store", "load", "load")
    try program.miss(3, scene.reader)
    #expect(try program.line(beginning: "failed ").hasPrefix("failed The vault did not release the token"))
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "loaded ") == "loaded first")
  }

  @Test func `without signetd it says whom to ask`() throws {
    let program = try TerminalProgram(
      [try ReaderChannel.program("token-vault"), "store", "load"],
      environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=/nonexistent/socket", "SWIFT_BACKTRACE=enable=no"])
    #expect(try program.lines().filter { $0.hasPrefix("failed The vault cannot be asked") }.count == 2)
  }
}
