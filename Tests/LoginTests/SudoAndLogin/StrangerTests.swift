import Glibc
import SignetTestKit
import Testing

/// Debian's real su, which is setuid root, started by another user who guesses.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `A stranger's su` {
  private let world: World

  init() throws {
    world = try World()
    try world.becomeShared(withLogind: false)
    try world.enroll()
  }

  /// `su finger`, by this user, who is asked for the passcode, or where there is none is refused; what was seen, and whether it
  /// let them in.
  private func su(as user: String, passcode: String?) throws -> (screen: String, isIn: Bool) {
    let terminal = try world.run(["su", World.user, "-c", "echo inside"], as: user)
    if let passcode {
      try terminal.read(until: "Passcode: ")
      terminal.type(passcode + "\n")
    }
    try terminal.readToEnd()
    return (terminal.screen, try terminal.waitForExit() == 0 && terminal.screen.contains("inside"))
  }

  /// What a program of root's prints.
  private func output(_ words: String...) throws -> String {
    let terminal = try world.run(words)
    try terminal.readToEnd()
    return terminal.screen
  }

  private func status() throws -> String {
    let terminal = try world.runAsUser(["signet", "status"])
    try terminal.readToEnd()
    return terminal.screen
  }

  @Test func `five wrong passcodes delay the stranger, and not the user, whose right one ends the waiting`() throws {
    for _ in 1...5 {
      let guess = try su(as: World.other, passcode: "wrong horse")
      #expect(!guess.isIn)
      #expect(!guess.screen.contains("ingerprint reader (press"))
    }
    let sixth = try su(as: World.other, passcode: nil)
    #expect(!sixth.isIn)
    #expect(!sixth.screen.contains("Passcode: ") && !sixth.screen.contains("Password: "))
    let mallory = try output("id", "-u", World.other).filter(\.isNumber)
    let history = try output("signet", "history", "--user", World.user)
    #expect(history.contains("Passcode wrong, 5 in a row"))
    #expect(history.contains("started by uid \(mallory))"))
    let status = try status()
    #expect(status.contains("Strikes:  0 of 5"))
    #expect(status.contains("Passcode: 5 wrong elsewhere, next passcode from there in"))

    #expect(try su(as: World.user, passcode: World.passcode).isIn)
    #expect(try !self.status().contains("wrong"))
    #expect(try su(as: World.other, passcode: World.passcode).isIn)
  }
}
