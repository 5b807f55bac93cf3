import SignetTestKit
import Testing

/// What needs no signetd: errors, seams and words.
@Suite struct ShapeTests {
  @Test(arguments: languageModes)
  func `errors match, cast and bridge as on Apple's systems`(mode: Int) throws {
    let lines = try AppleProgram(["shapes"], mode: mode, socket: "/nonexistent/socket").lines()
    #expect(
      lines == [
        "error userCancel cancelled code -2", "error LAError -9 false cancelled code -9", "error LAError -8 true lockout lockout",
        "errors notInteractive fallback", "gate not enrolled userFallback",
        "message The specified item could not be found in the keychain. OSStatus -1", "name none false true",
        "control true NSOSStatusErrorDomain -50", "end",
      ])
  }
}
