import Foundation
import Glibc
import SignetTestKit
import Testing

/// A line of a script that ends by itself, because its passcode is there already.
struct Script: Sendable, CustomTestStringConvertible {
  let name: String
  /// For the user's shell, with the passcode as `$PASSCODE`.
  let line: String
  /// All that the command writes, where the passcode is right.
  var output = "0\n"
  var user = World.user
  var testDescription: String { name }

  static let all = [
    Script(name: "sudo -S", line: #"echo "$PASSCODE" | sudo -S -p "" id -u"#),
    Script(name: "sudo -S in a pipe", line: #"echo "$PASSCODE" | sudo -S id -u | cat"#),
    Script(name: "sudo -A", line: "sudo -A id -u"),
    Script(name: "sudo -A without input", line: "sudo -A printf hello </dev/null", output: "hello"),
    Script(name: "su", line: #"echo "$PASSCODE" | su \#(World.user) -c "id -un""#, output: World.user + "\n"),
    Script(
      name: "another user's su", line: #"echo "$PASSCODE" | su \#(World.user) -c "id -un""#, output: World.user + "\n",
      user: World.other),
    Script(name: "make -j4", line: "make -s -j4 -f /etc/four.mk four", output: "0\n0\n0\n0\n"),
  ]

  static let ansible = [
    Script(
      name: "Ansible", line: ansible("--become-method sudo"), output: "localhost | CHANGED | rc=0 >>\n0\n\n\n"),
    Script(
      name: "Ansible with su", line: ansible("--become-method su --become-user \(World.user)"),
      output: "localhost | CHANGED | rc=0 >>\nfinger\n\n\n", user: World.other),
  ]

  private static func ansible(_ options: String) -> String {
    let command = options.contains("su ") ? "id -un" : "id -u"
    return "ansible all -i localhost, -c local -m raw -a '\(command)' -b \(options)"
      + #" -e 'ansible_become_password={{ lookup("env", "PASSCODE") }}'"#
  }
}

/// Where a script runs.
enum ScriptPlace: String, Sendable, CaseIterable {
  case terminal = "on a terminal"
  case nowhere = "without a terminal"
}

/// A script that runs in a world.
final class RunningScript {
  let terminal: PseudoTerminal
  private let world: World

  private static let folder = "/run/script"

  /// - Parameter before: what root runs, and what runs the script in the end.
  init(
    _ line: String, passcode: String, _ place: ScriptPlace, user: String = World.user, before: [String] = [], in world: World
  ) throws {
    self.world = world
    let folder = RunningScript.folder
    try? FileManager.default.removeItem(atPath: world.root + folder)
    guard mkdir(world.root + folder, 0o777) == 0, chmod(world.root + folder, 0o777) == 0 else {
      throw TestKitError("no folder for the script")
    }
    let shell = "cd; (\(line)) >\(folder)/output 2>\(folder)/errors"
    let start = before + ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
    let setting = ["PASSCODE=\(passcode)", "SUDO_ASKPASS=/usr/local/bin/askpass", "HOME=/home/\(user)"]
    terminal = try world.run(
      start + (place == .nowhere ? ["setsid", "--wait"] : []) + ["env"] + setting
        + ["sh", "-c", place == .nowhere ? shell + " </dev/null" : shell])
  }

  /// Its status.
  func finish() throws -> Int32 {
    try terminal.readToEnd()
    return try terminal.waitForExit()
  }

  /// What it wrote.
  var output: String { written("output") }
  var errors: String { written("errors") }
  private func written(_ name: String) -> String {
    (try? RawFile.text(world.root + RunningScript.folder + "/" + name)) ?? "it was not started"
  }
}

extension World {
  /// Has a finger waited for longer than any test lasts: a script that waits for one does not end.
  func waitForFingerForever() throws {
    try edit("/etc/signet/signet.conf") { $0 + "finger_timeout = 1h\n" }
    try edit("/etc/pam.d/common-auth") { $0.replacing("pam_signet.so show", with: "pam_signet.so show timeout=3600") }
  }

  /// What scripts find in there.
  func addScriptFiles() throws {
    try addProgram("askpass", "#!/bin/sh\necho \"$PASSCODE\"\n")
    let four = "four: 1 2 3 4\n1 2 3 4:\n\t@echo \"$$PASSCODE\" | sudo -S -p '' id -u\n.PHONY: four 1 2 3 4\n"
    try four.write(toFile: root + "/etc/four.mk", atomically: false, encoding: .utf8)
    let doas = "permit \(World.user)\n"
    try doas.write(toFile: root + "/etc/doas.conf", atomically: false, encoding: .utf8)
    guard chmod(root + "/etc/doas.conf", 0o600) == 0 else { throw TestKitError("/etc/doas.conf: \(errno)") }
  }

  func edit(_ path: String, _ change: (String) -> String) throws {
    let text = try RawFile.text(root + path)
    try RawFile.overwrite(root + path, Array(change(text).utf8))
  }

  /// Forgets wrong passcodes, which make the next one wait.
  func forgetWrongPasscodes() throws {
    let reset = try run(["signet", "reset", World.user])
    try reset.readToEnd()
    guard try reset.waitForExit() == 0 else { throw TestKitError("signet reset: \(reset.screen)") }
  }
}
