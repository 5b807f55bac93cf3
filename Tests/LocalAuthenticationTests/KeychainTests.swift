import SignetTestKit
import SignetVocabulary
import Testing

/// Passwords in the vault of a real signetd, as tutorials keep them.
@Suite(.serialized) struct KeychainTests {
  @Test(arguments: languageModes)
  func `tutorials' passwords are kept, found, changed and deleted`(mode: Int) throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try scene.start("passwords", mode: mode)
    let lines = try program.lines()
    for expected in [
      "helper two", "decoded ada", "deleted true", "found Credentials(username: \"ada\", password: \"secret\")",
      "again unhandledError(status: -25299)", "changed Credentials(username: \"bob\", password: \"other\")", "gone noPassword",
      "legacy 0 0", "legacy new", "legacy [\"key\", \"other\"] 2 true", "legacy 0 -25300", "token t2", "token nil",
      "wrapped grace nil",
    ] { #expect(lines.contains(expected), "\(expected)") }
  }

  @Test(arguments: languageModes)
  func `an item for the fingers that are enrolled now is read by one of them`(mode: Int) throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try scene.start("biometric", "save", "load", "exists", "shared", mode: mode)
    try program.terminal.read(until: "Open the chest")
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "loaded ") == "loaded treasure")
    #expect(try program.line(beginning: "exists ") == "exists -25308")
    // One finger for both reads of a context.
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "loaded ") == "loaded treasure")
    #expect(try program.line(beginning: "loaded ") == "loaded treasure")
    #expect(try program.line(beginning: "invalidated ") == "invalidated status(-25293)")
  }

  @Test func `misses do not open it, and a cancel says so`() throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try scene.start("biometric", "save", "load", "delete", "presence", "load")
    try program.miss(3, scene.reader)
    #expect(try program.line(beginning: "failed ") == "failed status(-25293)")
    try program.touch("wrong", scene.reader)
    try program.askPasscode()
    try program.enterPasscode("")
    #expect(try program.line(beginning: "failed ") == "failed status(-128)")
  }

  @Test func `a new finger closes it for good`() throws {
    let scene = try Scene()
    try scene.openSession()
    _ = try scene.run("biometric", "save")
    #expect(try scene.enroll(.leftIndexFinger, as: "left").last == .done)
    let loading = try scene.start("biometric", "load")
    #expect(try loading.line(beginning: "failed ") == "failed status(-25293)")
  }

  @Test func `without signetd there is no keychain`() throws {
    let program = try AppleProgram(["biometric", "save", "load"], socket: "/nonexistent/socket")
    #expect(try program.lines().filter { $0 == "failed status(-25291)" }.count == 2)
  }
}
