import Glibc
import SignetTestKit
import Testing

@testable import SignetStackCheck

/// The program that runs copies: what it must not do, and what becomes of it.
@Suite struct TrialTests {
  private static func trials(_ service: String) throws -> (Trials, String) {
    let folder = try makeTemporaryFolder("check")
    for (name, text) in [("service", service), ("other", "auth required pam_deny.so\n")] {
      let file = try #require(fopen("\(folder)/\(name)", "w"))
      fputs(text, file)
      fclose(file)
    }
    return (try Trials(program: try ReaderChannel.program("signet-stack"), folder: folder), folder)
  }

  @Test(arguments: [
    "pam_permit.so", LibPAM.module("pam_permit.so"), "/signet-stand-in/9", "/signet-stand-in/x",
  ])
  func `no module is loaded but a stand-in`(module: String) throws {
    let (trials, folder) = try Self.trials("auth required \(module)\n")
    defer { removeTree(folder) }
    #expect(trials.run([.success]) == Trial(result: .moduleUnknown))
  }

  @Test func `every answer comes back as it was given`() throws {
    let (trials, folder) = try Self.trials("auth [default=bad success=ok ignore=bad] /signet-stand-in/0 0\n")
    defer { removeTree(folder) }
    for answer in ReturnName.allCases where answer != .ignore && answer != .abort {
      #expect(trials.run([answer]) == Trial(result: answer, steps: [Trial.Step(number: 0)]), "\(answer)")
    }
    #expect(trials.run([.success], missing: [0]) == Trial(result: .moduleUnknown))
    #expect(trials.run([.success]).result == .success)
  }

  @Test func `a crash is no answer, and the next run has one`() throws {
    // The line names no file, and Debian's libpam uses the missing name.
    let (trials, folder) = try Self.trials("auth required /signet-stand-in/0 0\n")
    defer { removeTree(folder) }
    let file = try #require(fopen("\(folder)/service", "w"))
    fputs("auth include\n", file)
    fclose(file)
    #expect(trials.run([.success]).result != .success)
    let again = try #require(fopen("\(folder)/service", "w"))
    fputs("auth required /signet-stand-in/0 0\n", again)
    fclose(again)
    #expect(trials.run([.success], missing: [0]).result == .moduleUnknown)
    #expect(trials.run([.success]).result == .success)
  }

  @Test func `a copy is for its writer only, and goes`() throws {
    let scene = try Scene(["sudo": BrokenStackTests.sound])
    let copy = try PrivateCopy(of: try StackReader(folder: scene.folder).stack(of: "sudo"))
    var status = stat()
    #expect(stat(copy.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    #expect(stat("\(copy.path)/service", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    copy.remove()
    #expect(access(copy.path, F_OK) != 0)
  }

  @Test func `a copy goes where the command is interrupted`() throws {
    let folder = try makeTemporaryFolder("check")
    let file = try #require(fopen("\(folder)/service", "w"))
    fclose(file)
    // Its input ends at once.
    #expect(try Program([try ReaderChannel.program("signet-stack"), folder]).waitForExit() == 0)
    #expect(access(folder, F_OK) != 0)
  }

  @Test func `it runs nothing in a folder that is no copy`() throws {
    #expect(try Program([try ReaderChannel.program("signet-stack"), "/etc/pam.d"]).waitForExit() == 2)
    #expect(try Program([try ReaderChannel.program("signet-stack")]).waitForExit() == 2)
  }

  @Test func `a program that is not there, or is another, is no proof`() throws {
    #expect(throws: StackError.noProgram(path: "/proc/nonexistent", cause: ENOENT)) {
      try Trials(program: "/proc/nonexistent", folder: "/tmp/signet-check-none")
    }
    #expect(throws: StackError.noProgram(path: "/bin/true", cause: EPROTO)) {
      try Trials(program: "/bin/true", folder: "/tmp/signet-check-none")
    }
  }
}
