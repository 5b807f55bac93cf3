import Glibc
import SignetTestKit
import Testing

/// `signet check-pam`, as its user sees it.
@Suite struct CheckPAMTests {
  private let folder = PAMFolder()

  @Test func `a sound stack is 0, a fault is 1 with its line, and a mistake in the words is 2`() throws {
    try folder.write("sudo", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    try folder.write("signet-passcode", "auth required pam_unix.so\n")
    let sound = try Signet.run(["check-pam", "--confdir", folder.path])
    #expect(sound.status == 0, "\(sound.output)\(sound.errors)")
    #expect(sound.output.contains("sudo: nobody comes in without a credential"))
    #expect(sound.output.contains("signet-passcode: asks for the passcode"))
    #expect(sound.errors.isEmpty)

    try folder.write("sudo", "auth sufficient pam_permit.so\nauth sufficient pam_signet.so\nauth required pam_unix.so\n")
    let broken = try Signet.run(["check-pam", "--confdir", folder.path, "sudo"])
    #expect(broken.status == 1)
    #expect(broken.output.contains("\(folder.path)/sudo:1:\n    auth sufficient pam_permit.so\n"))
    #expect(broken.output.contains("Instead: Remove the line"))
    #expect(broken.errors.isEmpty)

    for words in [["nosuch"], ["../sudo"], [""]] {
      let run = try Signet.run(["check-pam", "--confdir", folder.path] + words)
      #expect(run.status == 2)
      #expect(run.output.isEmpty && !run.errors.isEmpty)
    }
    #expect(try Signet.run(["check-pam", "--confdir", "/proc/nonexistent"]).status == 1)
  }

  @Test func `where no service has our module it says so and how to add it`() throws {
    try folder.write("sudo", "auth required pam_unix.so\n")
    let run = try Signet.run(["check-pam", "--confdir", folder.path])
    #expect(run.status == 0)
    #expect(run.errors.contains("pam-auth-update --enable signet"))
  }

  @Test func `JSON has the place, the reason and the remedy`() throws {
    try folder.write("login", "auth required pam_signet.so\n")
    let run = try Signet.run(["check-pam", "--confdir", folder.path, "--json", "login"])
    #expect(run.status == 1)
    for key in ["\"kind\" : \"noPasscode\"", "\"line\" : 1", "\"service\" : \"login\"", "\"instead\" : \"auth [success=done"] {
      #expect(run.output.contains(key), "\(key)")
    }
    #expect(run.output.contains("\"kind\" : \"noPasscodeService\""))
  }

  @Test func `what a file says does not drive the terminal`() throws {
    try folder.write("sudo", "auth required \u{1B}[31mpam_signet.so\nno\u{1B}]0;type\u{7}\n")
    let run = try Signet.run(["check-pam", "--confdir", folder.path, "sudo"])
    #expect(run.status == 1)
    #expect(!run.output.contains("\u{1B}") && !run.output.contains("\u{7}"))
  }
}

/// A folder of service files that is removed with the value.
final class PAMFolder {
  let path = (try? makeTemporaryFolder("stacks")) ?? ""

  deinit { removeTree(path) }

  func write(_ name: String, _ text: String) throws {
    guard let file = fopen("\(path)/\(name)", "w") else { throw TestKitError("\(path)/\(name): \(errno)") }
    fputs(text, file)
    fclose(file)
  }
}
