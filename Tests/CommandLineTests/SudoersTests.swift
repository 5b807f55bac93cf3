import Foundation
import SignetMachine
import SignetTestKit
import Testing

/// Whether sudoers(5) asks for a prompt that only sudo can put.
@Suite struct SudoersTests {
  private func asksItself(_ files: [String: String]) throws -> Bool {
    let folder = try TemporaryFolder()
    for (path, text) in files {
      let parent = "\(folder.path)/etc/\(path.split(separator: "/").dropLast().joined(separator: "/"))"
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      try text.write(toFile: "\(folder.path)/etc/\(path)", atomically: false, encoding: .utf8)
    }
    return Sudoers(Machine(root: folder.path)).hasPromptOfItsOwn
  }

  @Test(arguments: [
    "Defaults pwfeedback", "Defaults\tenv_reset, pwfeedback", "Defaults:alice passwd_timeout=0.5", "Defaults passwd_timeout = 2",
    "Defaults env_reset,\\\n  pwfeedback", "  Defaults@host insults , pwfeedback ", "Defaults pwfeedback # comment",
    "Defaults:#1000 pwfeedback", "Defaults:alice,#1000 pwfeedback", "# comment \\\nDefaults pwfeedback",
    "Defaults badpass_message=\"#\", pwfeedback", "Defaults passprompt=\\#, pwfeedback",
  ]) func `asterisks and an end to the waiting are sudo's alone`(line: String) throws {
    #expect(try asksItself(["sudoers": "root ALL=(ALL:ALL) ALL\n\(line)\n"]))
  }

  @Test(arguments: [
    "", "#Defaults pwfeedback", "Defaults !pwfeedback", "Defaults pwfeedback\nDefaults !pwfeedback", "Defaults passwd_timeout=0",
    "Defaults passwd_timeout=5, !passwd_timeout", "Defaults env_reset", "pwfeedback ALL=(ALL) ALL", "Defaults",
    "Defaults badpass_message=pwfeedback", "Defaults !pwfeedback # , pwfeedback", "Defaults env_reset # \\\npwfeedback",
  ]) func `nothing else is`(text: String) throws {
    #expect(try !asksItself(["sudoers": text + "\n"]))
  }

  @Test func `files that it includes count, and those that sudo leaves out do not`() throws {
    let main = "@includedir /etc/sudoers.d\n"
    #expect(try asksItself(["sudoers": main, "sudoers.d/0pwfeedback": "Defaults pwfeedback\n"]))
    #expect(try asksItself(["sudoers": "#includedir sudoers.d\n", "sudoers.d/a": "Defaults pwfeedback\n"]))
    #expect(try asksItself(["sudoers": "@include sudoers.local\n", "sudoers.local": "Defaults passwd_timeout=1\n"]))
    #expect(
      try !asksItself(["sudoers": main, "sudoers.d/a.bak": "Defaults pwfeedback\n", "sudoers.d/b~": "Defaults pwfeedback\n"]))
    #expect(try !asksItself(["sudoers.d/a": "Defaults pwfeedback\n"]))
  }

  @Test func `files that include each other come to an end`() throws {
    #expect(try asksItself(["sudoers": "@include other\n", "other": "@include sudoers\nDefaults pwfeedback\n"]))
  }
}
