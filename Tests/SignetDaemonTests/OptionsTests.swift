import SignetDaemon
import Testing

@testable import DaemonService

@Suite struct OptionsTests {
  @Test func `without words it is the installed daemon`() throws {
    let options = try Options([])
    #expect(options.socket == nil)
    #expect(options.stateDirectory == "/var/lib/signet")
    #expect(options.runtimeDirectory == "/run/signet")
  }

  @Test(arguments: [["--socket"], ["--verbose", "1"], ["--idle-exit", "soon"], ["--idle-exit", "-1"], ["extra", "word"]])
  func `a word that is not understood is an error`(words: [String]) {
    #expect(throws: StartFailure.self) { _ = try Options(words) }
  }
}
