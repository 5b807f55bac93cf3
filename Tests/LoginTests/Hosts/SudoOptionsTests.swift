import Foundation
import Glibc
import SignetTestKit
import Testing

/// sudo where it was told not to ask on the terminal, or has none: the finger comes first, and then whatever sudo asks by itself.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `sudo told to ask in its own way` {
  private let world: World

  init() throws {
    world = try World()
    try world.addProbe()
    try world.addProgram("askpass", "#!/bin/sh\necho '\(World.passcode)'\n")
    try world.addProgram("askpass-cancelled", "#!/bin/sh\nexit 1\n")
    try world.enroll()
  }

  private func begin(_ line: String, _ form: Host.Form = .afterEnter) throws -> Cell {
    try Cell(Host(name: "sudo", start: .line(line), form: form), line, in: world)
  }

  private static let fromPipe = "printf '\(World.passcode)\\nfor the command\\n' | "

  @Test func `-S takes the passcode from a pipe, and leaves the rest to the command`() throws {
    let cell = try begin(Self.fromPipe + "sudo -S cat")
    cell.terminal.type("hunter\n")
    try cell.terminal.read(until: "Passcode: for the command")
    try cell.finish(status: 0)
  }

  @Test func `after a finger -S has read nothing, and all is the command's`() throws {
    let cell = try begin(Self.fromPipe + "sudo -S wc -c")
    try cell.scan("right")
    try cell.terminal.read(until: "\n28")
    try cell.finish(status: 0)
  }

  @Test func `-A asks by the program that was named`() throws {
    let cell = try begin("SUDO_ASKPASS=/usr/local/bin/askpass sudo -A probe")
    cell.terminal.type("hunter\n")
    try cell.finish(.granted)
  }

  @Test func `what -A's program does not answer proves nobody`() throws {
    let cell = try begin("SUDO_ASKPASS=/usr/local/bin/askpass-cancelled sudo -A probe")
    cell.terminal.type("hunter\n")
    try cell.finish(.refused)
  }

  @Test func `-A takes a finger, too`() throws {
    let cell = try begin("SUDO_ASKPASS=/usr/local/bin/askpass-cancelled sudo -A probe")
    try cell.scan("right")
    try cell.finish(.granted)
  }

  @Test func `-n fails at once, and signetd hears nothing of it`() throws {
    let before = world.logged
    let shell = try world.runAsUser(["sudo", "-n", "probe"])
    try shell.readToEnd()
    #expect(try shell.waitForExit() == 1)
    #expect(shell.screen.contains("a password is required"))
    #expect(try !world.hasProbed())
    #expect(world.logged == before)
  }

  @Test func `without a terminal a finger is enough`() throws {
    let cell = try begin("setsid --wait sudo probe", .fingerAlone)
    try cell.scan("right")
    try cell.finish(.granted)
  }

  @Test func `without a terminal -S takes the passcode when the fingers are used up`() throws {
    let cell = try begin(Self.fromPipe + "setsid --wait sudo -S cat", .fingerAlone)
    for left in ["2 attempts", "1 attempt", "No fingerprint attempts"] {
      try cell.scan("wrong")
      try cell.terminal.read(until: left)
    }
    try cell.terminal.read(until: "Passcode: for the command")
    try cell.finish(status: 0)
  }
}
