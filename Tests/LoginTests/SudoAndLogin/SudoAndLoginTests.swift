import Glibc
import SignetTestKit
import Testing

/// Debian's real sudo and login, with Debian's own PAM files plus our profile, a real user and a real password.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `Debian's sudo and login` {
  let world: World
  private let touch = "or enter your passcode: "

  init() throws { world = try World() }

  /// Presents these fingers, each when the reader waits, and returns when the last was not recognised.
  private func miss(_ count: Int, on terminal: PseudoTerminal) throws {
    try terminal.read(until: touch)
    for number in 1...count {
      try world.reader.scan("wrong")
      if number < count { try terminal.read(until: "not recognised") }
    }
  }

  @Test func `sudo takes the finger`() throws {
    try world.enroll()
    let terminal = try world.sudo("id", "-un")
    try terminal.read(until: touch)
    try world.reader.scan("right")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("root\r\n"))
  }

  @Test func `sudo names the finger that its reader compares with, and each of three matches when it is named`() throws {
    try world.enroll()
    try world.enroll("right-middle-finger", as: "middle")
    try world.enroll("right-ring-finger", as: "ring")
    for named in [
      [("index", "wrong"), ("middle", "middle")], [("middle", "wrong"), ("ring", "ring")],
      [("ring", "wrong"), ("index", "right")],
      [("index", "right")],
    ] {
      let terminal = try world.sudo("id", "-un")
      for (finger, scan) in named {
        try terminal.read(until: "Swipe your right \(finger) finger or enter your passcode: ")
        try world.reader.scan(scan)
      }
      try terminal.readToEnd()
      #expect(try terminal.waitForExit() == 0, "\(named)")
      #expect(terminal.screen.contains("root\r\n"))
    }
    let list = try world.runAsUser(["signet", "list"])
    try list.readToEnd()
    #expect(list.screen.contains("virtual_device:0 compares with one finger at a time"))
    #expect(list.screen.contains("The first is: right index finger"))
  }

  @Test func `sudo asks for the passcode after three misses and takes it`() throws {
    try world.enroll()
    let terminal = try world.sudo("id", "-un")
    try miss(3, on: terminal)
    try terminal.read(until: "Passcode: ")
    terminal.type(World.passcode + "\n")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("root\r\n"))
    #expect(!terminal.screen.contains(World.passcode))
  }

  @Test func `what sudo locks is locked for login, and login's passcode unlocks for sudo`() throws {
    try world.enroll()
    let first = try world.sudo("-k", "id")
    try miss(3, on: first)
    try first.read(until: "Passcode: ")
    // Nothing, which cancels. An interrupt that comes before sudo reads would be lost on it.
    first.type("\n")
    try first.readToEnd()
    #expect(try first.waitForExit() != 0)

    let login = try world.login()
    try miss(2, on: login)
    try login.read(until: "Passcode: ")
    #expect(login.screen.contains("locked"))
    let locked = try world.sudo("id", "-un")
    try locked.read(until: "password for")
    #expect(locked.screen.contains("locked"))
    login.type(World.passcode + "\n")
    try login.read(until: "$ ")

    let unlocked = try world.sudo("id", "-un")
    try unlocked.read(until: touch)
    try world.reader.scan("right")
    try unlocked.readToEnd()
    #expect(try unlocked.waitForExit() == 0)
  }

  @Test func `Ctrl-C ends sudo at once`() throws {
    try world.enroll()
    let terminal = try world.sudo("touch", "/run/done")
    try terminal.read(until: touch)
    terminal.type("\u{3}")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() != 0)
    #expect(try world.run(["test", "-e", "/run/done"]).waitForExit() == 1)
    #expect(terminal.echoes)
  }

  @Test func `a sudo that is stopped at its prompt keeps no other on its terminal waiting`() throws {
    try world.enroll()
    try world.letSudoRemember()
    let shell = try world.runAsUser(["/bin/bash", "--norc", "--noediting", "-i"])
    try shell.read(until: "$ ")
    shell.type("sudo echo the first is done\n")
    try shell.read(until: touch)
    shell.type("half\u{1A}")
    try shell.read(until: "$ ")
    #expect(shell.echoes)
    shell.type("sudo echo the second is done\n")
    try shell.read(until: touch)
    try world.reader.scan("right")
    try shell.read(until: "\nthe second is done")
    try shell.read(until: "$ ")
    shell.type("fg\n")
    try shell.read(until: "password for")
    shell.type(World.passcode + "\n")
    try shell.read(until: "\nthe first is done")
    try shell.read(until: "$ ")
    #expect(shell.echoes)
  }

  @Test func `Ctrl-C ends login at once`() throws {
    try world.enroll()
    let terminal = try world.login()
    try terminal.read(until: touch)
    terminal.type("\u{3}")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() != 0)
    #expect(!terminal.screen.contains("$ "))
  }

  @Test func `without a helper sudo and login ask for the password`() throws {
    let sudo = try world.sudo("id", "-un")
    try sudo.read(until: "password for finger: ")
    sudo.type(World.passcode + "\n")
    try sudo.readToEnd()
    #expect(try sudo.waitForExit() == 0)

    let login = try world.login()
    try login.read(until: "Password: ")
    login.type("wrong horse\n")
    try login.read(until: "login: ")
    #expect(login.screen.contains("Login incorrect"))
    login.type("\(World.user)\n")
    try login.read(until: "Password: ")
    login.type(World.passcode + "\n")
    try login.read(until: "$ ")
  }

  @Test func `a user without fingers meets the password alone`() throws {
    try world.startDaemon()
    let terminal = try world.sudo("id", "-un")
    try terminal.read(until: "password for finger: ")
    terminal.type(World.passcode + "\n")
    try terminal.readToEnd()
    #expect(try terminal.waitForExit() == 0)
    #expect(!terminal.screen.contains("ingerprint"))
  }

  @Test func `a session by login holds a token until it ends, and sudo none`() throws {
    try world.enroll()
    let terminal = try world.login()
    try terminal.read(until: touch)
    try world.reader.scan("right")
    try terminal.read(until: "$ ")
    terminal.type("signet token; echo status $?\n")
    let told = try terminal.read(until: "status 0")
    #expect(told.split(whereSeparator: \.isNewline).contains { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })

    let sudo = try world.sudo("signet", "token")
    try sudo.read(until: touch)
    try world.reader.scan("right")
    try sudo.readToEnd()
    #expect(try sudo.waitForExit() == 1)
    #expect(sudo.screen.contains("holds no token"))

    terminal.type("exit\n")
    try terminal.readToEnd()
    let sessions = try world.run(["signet", "sessions"])
    try sessions.readToEnd()
    #expect(!sessions.screen.contains(World.user))
  }

  @Test func `what is typed while sudo waits is neither shown nor run`() throws {
    try world.enroll()
    let shell = try world.runAsUser(["/bin/sh"])
    try shell.read(until: "$ ")
    shell.type("sudo id -un; echo status $?\n")
    try shell.read(until: touch)
    shell.type("echo never-to-be-seen ")
    try world.reader.scan("right")
    try shell.read(until: "status 0")
    // A prompt later the shell has run whatever was left to it.
    try shell.read(until: "$ ")
    shell.type("exit\n")
    try shell.readToEnd()
    #expect(!shell.screen.contains("never-to-be-seen"))
  }
}
