import Glibc
import SignetStackCheck
import SignetTestKit
import Testing

/// Service files that were made to stop, crash or mislead the command.
@Suite struct HostileFileTests {
  @Test(arguments: ["", ".", "..", "../shadow", "/etc/shadow", "a/b", "a\0b", String(repeating: "x", count: 300)])
  func `a name that is no service's is refused`(name: String) throws {
    let check = try Scene([:]).stackCheck()
    #expect(throws: StackError.badName(name)) { try check.check(name) }
  }

  @Test func `a pipe is not waited for, a folder is not read, and neither is a service`() throws {
    let scene = try Scene(["sudo": "auth include pipe\nauth include folder\n"])
    #expect(mkfifo("\(scene.folder)/pipe", 0o600) == 0)
    #expect(mkdir("\(scene.folder)/folder", 0o700) == 0)
    #expect(try scene.check().findings == ["missingInclude sudo:1", "missingInclude sudo:2"])
    #expect(throws: StackError.unreadable(file: "\(scene.folder)/pipe", cause: EINVAL)) { try scene.check("pipe") }
    #expect(try scene.stackCheck().servicesWithSignet() == [])
  }

  @Test func `a link is followed, and one to itself is not there`() throws {
    let scene = try Scene(["real": BrokenStackTests.sound])
    #expect(symlink("real", "\(scene.folder)/sudo") == 0)
    #expect(symlink("self", "\(scene.folder)/self") == 0)
    #expect(try scene.check().findings == [])
    #expect(throws: StackError.unreadable(file: "\(scene.folder)/self", cause: ELOOP)) { try scene.check("self") }
  }

  @Test func `bytes of no meaning are one fault a line`() throws {
    let scene = try Scene([:])
    try scene.write("sudo", [0xFF, 0xFE, 0x20, 0x80, 0x0A] + Array(BrokenStackTests.sound.utf8))
    #expect(try scene.check().findings.contains("malformed sudo:1"))
    try scene.write("sudo", Array("auth required pam_unix.so\0 pam_deny.so\n".utf8))
    #expect(try scene.check().findings == ["malformed sudo:1"])
  }

  @Test func `a file too large, too long or too deep is not proven`() throws {
    let scene = try Scene(["sudo": String(repeating: "# much\n", count: 60_000)])
    #expect(try scene.check().findings == ["notProven sudo:1"])
    try scene.write("sudo", String(repeating: "auth optional pam_cap.so\n", count: 300))
    #expect(try scene.check().findings == ["notProven sudo:1"])
    try scene.write("sudo", String(repeating: "account optional pam_cap.so\n", count: 5000))
    #expect(try scene.check().findings == ["notProven sudo:1"])
    for level in 0..<40 { try scene.write("level\(level)", "auth include level\(level + 1)\n") }
    #expect(try scene.check("level0").findings == ["notProven level0:1"])
  }

  @Test func `files that double each other are not followed for ever`() throws {
    let scene = try Scene([:])
    for level in 0..<30 { try scene.write("d\(level)", String(repeating: "auth include d\(level + 1)\n", count: 2)) }
    #expect(try scene.check("d0").findings == ["notProven d0:1"])
  }

  @Test func `more ways than can be tried are not proven`() throws {
    let conditions = (0..<40).map { "auth optional pam_succeed_if.so user = u\($0)\n" }.joined()
    #expect(try Scene.check(conditions + BrokenStackTests.sound).findings.contains("notProven sudo:1"))
  }

  @Test func `a loop by way of another file is named where it closes`() throws {
    let scene = try Scene(["sudo": "auth include a\n", "a": "auth required pam_unix.so\nauth substack sudo\n"])
    #expect(try scene.check().findings.contains("includeLoop a:2"))
  }
}
