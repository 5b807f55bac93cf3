import Foundation
import SignetTestKit
import Testing

/// What sudo makes of the module's answers: Debian's sudo asks three times, and has words of its own for some codes.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `What sudo says` {
  private let world: World
  private let touch = "or enter your passcode: "

  init() throws { world = try World() }

  private func order(_ words: String...) throws -> String {
    let terminal = try world.run(words)
    try terminal.readToEnd()
    _ = try terminal.waitForExit()
    return terminal.screen
  }

  /// As Debian's sudo has it without a word in sudoers.
  private func allowThreeTries() throws {
    let path = world.root + "/etc/sudoers.d/signet"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("passwd_tries=1", with: "passwd_tries=3").write(toFile: path, atomically: false, encoding: .utf8)
  }

  @Test func `when the machine goes to sleep it says so, and asks once more`() throws {
    try allowThreeTries()
    try world.enroll()
    let terminal = try world.sudo("id", "-un")
    try terminal.read(until: touch)
    #expect(try order("signet", "suspend") == "")
    try terminal.read(until: "Cancelled: the machine goes to sleep")
    try terminal.read(until: "Passcode: ")
    #expect(!terminal.screen.contains("abort"))
    terminal.type(World.passcode + "\n")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("root\r\n"))
  }

  /// Five wrong passcodes, each in a sudo of its own.
  private func guess(at prompt: String) throws {
    for _ in 1...5 {
      let wrong = try world.sudo("id", "-un")
      try wrong.read(until: prompt)
      wrong.type("wrong horse\n")
      try wrong.readToEnd()
    }
  }

  @Test func `how long the next passcode has to wait is said each time, in seconds, and none is asked for`() throws {
    try world.enroll()
    #expect(try order("signet", "lock", World.user).contains("Locked"))
    try guess(at: "password for")
    try allowThreeTries()
    let delayed = try world.sudo("id", "-un")
    try delayed.readToEnd()
    #expect(try delayed.waitForExit() != 0)
    let waits = delayed.screen.matches(of: /Try again in ([0-9]+) second/).compactMap { Int($0.1) }
    #expect(waits.count == 3 && waits.allSatisfy { (1...60).contains($0) }, "\(delayed.screen)")
    #expect(waits == waits.sorted(by: >), "\(delayed.screen)")
    #expect(!delayed.screen.contains("password for"), "\(delayed.screen)")
  }

  @Test func `while passcodes have to wait, the finger is asked for alone, and opens`() throws {
    try world.enroll()
    try guess(at: touch)
    let terminal = try world.sudo("id", "-un")
    try terminal.read(until: "Swipe your finger across the fingerprint reader")
    #expect(terminal.screen.contains(/Try again in [0-9]+ second/), "\(terminal.screen)")
    try world.reader.scan("right")
    try terminal.readToEnd()
    #expect(!terminal.screen.contains(/your passcode|the passcode/), "\(terminal.screen)")
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("root\r\n"))
  }

  @Test func `of somebody who has no finger the log says nothing`() throws {
    try world.startDaemon()
    let terminal = try world.sudo("id", "-un")
    try terminal.read(until: "password for finger: ")
    terminal.type(World.passcode + "\n")
    try terminal.readToEnd()
    #expect(terminal.screen.contains("root\r\n"))
    _ = try order("signet", "lock", World.user)
    try world.awaitLog("fingerprints locked on request")
    #expect(!world.logged.contains("biometryNotEnrolled"))
  }
}
