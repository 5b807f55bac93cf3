import Foundation
import Glibc
import SignetTestKit
import Testing

/// sudo-rs of Debian 13, as `make sudo-rs` unpacks it.
private enum SudoRs {
  static let folder = String(#filePath.split(separator: "/Tests/LoginTests/")[0]) + "/.build/sudo-rs"
  static let isThere = access(folder + "/usr/lib/cargo/bin/sudo", R_OK) == 0
  /// What gives a command its sudo-rs.
  static let before =
    [
      "unshare", "-m", "--propagation", "private", "/bin/sh",
      String(#filePath.dropLast("SudoRsTests.swift".count)) + "beside-sudo-rs",
    ]
    + [folder]
}

/// It calls itself "sudo" to PAM, and asks PAM where it may ask nobody, too.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"),
  .enabled(if: SudoRs.isThere, "needs Debian 13's sudo-rs (make sudo-rs)"))
struct `sudo-rs` {
  private let world: World

  init() throws {
    world = try World()
    try world.addProbe()
    try world.waitForFingerForever()
    try world.enroll()
  }

  private func begin(_ line: String, passcode: String = World.passcode, _ place: ScriptPlace) throws -> RunningScript {
    try RunningScript(line, passcode: passcode, place, before: SudoRs.before, in: world)
  }

  @Test(arguments: ScriptPlace.allCases)
  func `-S takes the passcode at once, and refuses a wrong one`(place: ScriptPlace) throws {
    let right = try begin(#"echo "$PASSCODE" | sudo-rs -k -S id -u"#, place)
    #expect(try right.finish() == 0)
    #expect(right.output == "0\n", "\(right.errors)")
    #expect(!right.errors.contains("finger"))
    // It asks three times, where its input has three lines.
    let wrong = try begin(#"echo "$PASSCODE" | sudo-rs -k -S id -u"#, passcode: "wrong horse", place)
    #expect(try wrong.finish() != 0)
    #expect(wrong.output == "")
  }

  @Test(arguments: ScriptPlace.allCases)
  func `-n fails at once, with a finger enrolled and without a word of it`(place: ScriptPlace) throws {
    let run = try begin("sudo-rs -k -n id -u", place)
    #expect(try run.finish() != 0)
    #expect(run.output == "")
    let shown = run.errors + run.terminal.screen
    #expect(!shown.contains("finger") && !shown.contains("asscode"), "\(shown)")
  }

  @Test func `without a terminal and without -S it fails at once`() throws {
    let run = try begin("sudo-rs -k id -u", .nowhere)
    #expect(try run.finish() != 0)
    #expect(run.output == "")
  }

  @Test func `on a terminal one prompt takes a finger or the passcode, as for sudo`() throws {
    for answer in ["finger", "passcode"] {
      let run = try begin("sudo-rs -k id -u", .terminal)
      try run.terminal.read(until: "or enter your passcode: ")
      if answer == "finger" { try world.reader.scan("right") } else { run.terminal.type(World.passcode + "\n") }
      #expect(try run.finish() == 0, "\(answer)")
      #expect(run.output == "0\n", "\(answer)")
    }
  }
}
