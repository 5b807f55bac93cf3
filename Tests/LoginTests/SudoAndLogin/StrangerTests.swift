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
    try finish(try world.run(Self.su, as: user), passcode)
  }

  private static let su = ["su", World.user, "-c", "echo inside"]

  private func finish(_ terminal: PseudoTerminal, _ passcode: String?) throws -> (screen: String, isIn: Bool) {
    if let passcode {
      try terminal.read(until: "Password: ")
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

  @Test func `a service's user that writes the login of others guesses five times in all, and delays itself`() throws {
    for login in [World.user, World.other, "root", World.user, World.other] {
      #expect(try !finish(try world.run(Self.su, asServiceWithLogin: login), "wrong horse").isIn)
    }
    for login in [World.user, World.other, "root", "bin"] {
      let sixth = try finish(try world.run(Self.su, asServiceWithLogin: login), nil)
      #expect(!sixth.isIn && !sixth.screen.contains("Passcode: ") && !sixth.screen.contains("Password: "), "\(sixth.screen)")
    }
    let history = try output("signet", "history", "--user", World.user)
    #expect(history.contains("started by uid \(World.www))"))
    for user in [World.user, World.other] {
      let uid = try output("id", "-u", user).filter(\.isNumber)
      #expect(!history.contains("started by uid \(uid))"), "\(history)")
    }
    // Those whose login it wrote are asked as ever.
    #expect(try !su(as: World.other, passcode: "wrong horse").isIn)
    #expect(try su(as: World.user, passcode: World.passcode).isIn)
  }

  @Test func `sixteen prompts of a service's user that wrote the owner's login take no place of the owner's`() throws {
    var sitting: [PseudoTerminal] = []
    for _ in 0..<16 {
      sitting.append(try world.run(Self.su, asServiceWithLogin: World.user))
      try sitting.last?.read(until: "Password: ")
    }
    let next = try finish(try world.run(Self.su, asServiceWithLogin: World.other), nil)
    #expect(next.screen.contains("Too many of your prompts are open"), "\(next.screen)")
    #expect(try status().contains("Strikes:  0 of 5"))
    #expect(try su(as: World.user, passcode: World.passcode).isIn)
  }

  @Test func `with logind, a service of a user's manager that wrote the owner's login is that user`() throws {
    try world.becomeShared()
    let group = SessionLocation.byAnother.group
    for login in [World.user, World.other, World.user, "root", World.user] {
      let terminal = try world.run(Self.su, as: World.other, from: SessionLocation(name: "", group: group, login: login))
      #expect(try !finish(terminal, "wrong horse").isIn)
    }
    for login in [World.user, World.other] {
      let sixth = try finish(
        try world.run(Self.su, as: World.other, from: SessionLocation(name: "", group: group, login: login)), nil)
      #expect(!sixth.isIn && !sixth.screen.contains("Passcode: "), "\(sixth.screen)")
    }
    #expect(try su(as: World.user, passcode: World.passcode).isIn)
  }
}
