import Foundation
import Glibc
import SignetTestKit
import Testing

/// Scripts, whose passcode is there already, or which can be asked for none. A finger is enrolled and nobody touches the reader, which
/// waits an hour: whatever waits for a finger does not end here.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `A script` {
  private let world: World

  init() throws {
    world = try World()
    try world.addProbe()
    try world.addScriptFiles()
    try world.waitForFingerForever()
    try world.enroll()
  }

  private func begin(_ script: Script, passcode: String = World.passcode, _ place: ScriptPlace) throws -> RunningScript {
    try RunningScript(script.line, passcode: passcode, place, user: script.user, in: world)
  }

  private func begin(_ line: String, passcode: String = World.passcode, _ place: ScriptPlace) throws -> RunningScript {
    try RunningScript(line, passcode: passcode, place, in: world)
  }

  private func expectNothingShown(_ run: RunningScript, _ name: String) throws {
    let errors = run.errors + run.terminal.screen
    #expect(!errors.contains("finger reader") && !errors.contains("ingerprint"), "\(name): \(errors)")
    #expect(!errors.contains("horse"), "\(name): \(errors)")
  }

  /// A right and a wrong passcode, on a terminal and without one.
  private func play(_ script: Script) throws {
    for place in ScriptPlace.allCases {
      let name = "\(script.name), \(place.rawValue)"
      let right = try begin(script, place)
      #expect(try right.finish() == 0, "\(name)")
      #expect(right.output == script.output, "\(name): \(right.errors)")
      try expectNothingShown(right, name)

      let wrong = try begin(script, passcode: "wrong horse", place)
      let status = try wrong.finish()
      // Of a pipe the shell has the last part's.
      #expect(status != 0 || script.line.hasSuffix("| cat"), "\(name)")
      let output = wrong.output
      #expect(!output.contains("0\n") && !output.contains("hello") && !output.contains(World.user), "\(name): \(output)")
      try world.forgetWrongPasscodes()
    }
  }

  @Test(arguments: Script.all)
  func `with the right passcode goes on at once, with a wrong one it fails, and neither says a word of fingers`(
    script: Script
  ) throws { try play(script) }

  @Test(
    .enabled(if: access("/usr/bin/ansible", X_OK) == 0, "needs Ansible (Debian: ansible-core)"), arguments: Script.ansible)
  func `so does Ansible`(script: Script) throws { try play(script) }

  @Test(arguments: ["sudo -S id -u", "su \(World.user) -c 'id -u'"])
  func `whose passcode is empty fails at once, and asks for no finger`(command: String) throws {
    for place in ScriptPlace.allCases {
      let run = try begin("echo | \(command)", place)
      #expect(try run.finish() != 0, "\(place.rawValue)")
      #expect(run.output == "", "\(place.rawValue)")
      try expectNothingShown(run, place.rawValue)
    }
  }

  @Test(arguments: ScriptPlace.allCases)
  func `leaves what is behind the passcode to the command`(place: ScriptPlace) throws {
    let run = try begin(#"printf '%s\nfor the command\n' "$PASSCODE" | sudo -S cat"#, place)
    #expect(try run.finish() == 0)
    #expect(run.output == "for the command\n")
  }

  @Test func `whose askpass is cancelled fails at once`() throws {
    try world.addProgram("askpass", "#!/bin/sh\nexit 1\n")
    for place in ScriptPlace.allCases {
      let run = try begin("sudo -A id -u", place)
      #expect(try run.finish() != 0, "\(place.rawValue)")
      #expect(run.output == "", "\(place.rawValue)")
    }
  }

  @Test func `whose askpass leaves the answer empty is asked for the finger`() throws {
    try world.addProgram("askpass", "#!/bin/sh\necho\n")
    let run = try RunningScript("sudo -A id -u", passcode: World.passcode, .terminal, in: world)
    try wait(for: "the reader to be armed") { (try? world.reader.scan("right")) != nil }
    #expect(try run.finish() == 0)
    #expect(run.output == "0\n")
  }

  @Test func `that sudo can ask nowhere fails at once`() throws {
    let run = try begin("sudo id -u", .nowhere)
    #expect(try run.finish() == 1)
    #expect(run.output == "")
    #expect(run.errors.contains("a terminal is required"))
  }

  @Test(arguments: ScriptPlace.allCases)
  func `that sudo can ask for nothing fails at once, and the reader stays closed`(place: ScriptPlace) throws {
    let before = world.logged
    let run = try begin("sudo -n id -u", place)
    #expect(try run.finish() == 1)
    #expect(run.output == "")
    #expect(run.errors.contains("a password is required"))
    #expect(world.logged == before)
  }

  // MARK: doas, which asks on the terminal whatever its input is

  private static let hasDoas = access("/usr/bin/doas", X_OK) == 0

  @Test(.enabled(if: hasDoas, "needs doas (Debian: opendoas)"))
  func `what doas is given by a pipe goes to the command, and nothing else is in its output`() throws {
    for passcode in [World.passcode, "wrong horse"] {
      let run = try begin("echo 'for the command' | doas cat", .terminal)
      try run.terminal.read(until: "ass")
      try run.terminal.wait { !$0.echoes }
      run.terminal.type(passcode + "\n")
      #expect(try (run.finish() == 0) == (passcode == World.passcode))
      #expect(run.output == (passcode == World.passcode ? "for the command\n" : ""))
    }
  }

  @Test(.enabled(if: hasDoas, "needs doas (Debian: opendoas)"))
  func `doas without a terminal, and doas -n, fail at once`() throws {
    for line in ["echo x | doas cat", "doas -n id -u"] {
      let run = try begin(line, .nowhere)
      #expect(try run.finish() != 0, "\(line)")
      #expect(run.output == "", "\(line)")
    }
  }

  // MARK: cron

  @Test(.enabled(if: access("/usr/sbin/cron", X_OK) == 0, "needs cron"))
  func `a job of cron that has the passcode goes on at once`() throws {
    let job = """
      PASSCODE=\(World.passcode)
      @reboot \(World.user) echo "$PASSCODE" | sudo -S -p "" id -u >/run/probe/job 2>&1; echo "ended $?" >>/run/probe/job

      """
    try job.write(toFile: world.root + "/etc/cron.d/job", atomically: false, encoding: .utf8)
    guard chmod(world.root + "/etc/cron.d/job", 0o600) == 0 else { throw TestKitError("/etc/cron.d/job: \(errno)") }
    let cron = try Program(world.inside(["cron", "-f"]), environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"])
    let path = world.root + "/run/probe/job"
    try wait(for: "the job's end") { (try? RawFile.text(path))?.contains("ended") == true }
    #expect(try RawFile.text(path) == "0\nended 0\n")
    withExtendedLifetime(cron) {}
  }
}
