import Glibc
import SignetTestKit
import Testing

/// Which service decides: the one that was named, or none.
@Suite struct ServiceTests {
  private let process: PasscodeProcess
  init() throws {
    process = try PasscodeProcess()
    // libpam's fallback for a service without a file: here it would verify.
    try process.script("hidden", service: "other")
  }

  @Test func `a missing service is unavailable though another one would say yes`() throws {
    #expect(try process.check()?.outcome == .unavailable)
  }

  @Test(arguments: ["", ".", "..", ".other", "../pam.d/other", "/etc/pam.d/su", "Other", "oth er", "other\n", "öther"])
  func `a name that libpam would change is unavailable`(service: String) throws {
    #expect(try process.check(service: service)?.outcome == .unavailable)
  }

  @Test func `a name with a zero byte is unavailable`() throws {
    #expect(try process.check(service: "other\0")?.outcome == .unavailable)
    #expect(try process.check(user: "tester\0", service: "other")?.outcome == .unavailable)
    #expect(try process.check(service: "other", confdir: process.confdir + "\0")?.outcome == .unavailable)
  }

  @Test func `a user without a name is unavailable`() throws {
    #expect(try process.check(user: "", service: "other")?.outcome == .unavailable)
  }

  @Test(arguments: ["relative", "/proc/nonexistent", "/dev/null"])
  func `a folder that is none is unavailable`(confdir: String) throws {
    #expect(try process.check(service: "other", confdir: confdir)?.outcome == .unavailable)
  }

  @Test func `a folder in place of the service's file is unavailable`() throws {
    let folder = process.confdir + "/signet-passcode"
    try #require(mkdir(folder, 0o700) == 0)
    defer { rmdir(folder) }
    #expect(try process.check()?.outcome == .unavailable)
  }
}
