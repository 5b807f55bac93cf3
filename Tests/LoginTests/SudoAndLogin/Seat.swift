import Foundation
import SignetTestKit
import Testing

/// Where somebody asks from, as logind has it: its own files, in a machine without it.
struct SessionLocation: Sendable, CustomTestStringConvertible {
  let name: String
  /// As /proc/PID/cgroup says it.
  let group: String
  /// Whose login it is, for the kernel.
  let login: String
  var testDescription: String { name }

  static let atTheMachine = SessionLocation(
    name: "her session at the machine", group: "user.slice/user-UID.slice/session-1.scope", login: "finger")
  static let desktop = SessionLocation(
    name: "a terminal of her desktop", group: "user.slice/user-UID.slice/user@UID.service/app.slice/term.scope", login: "finger")
  static let ssh = SessionLocation(name: "ssh", group: "user.slice/user-UID.slice/session-2.scope", login: "finger")
  static let background = SessionLocation(
    name: "a session in the background", group: "user.slice/user-UID.slice/session-3.scope", login: "finger")
  static let leftBehind = SessionLocation(
    name: "what a closed session left", group: "user.slice/user-UID.slice/session-9.scope", login: "finger")
  static let userService = SessionLocation(
    name: "a service of her own manager", group: "user.slice/user-UID.slice/user@UID.service/app.slice/backup.service",
    login: "finger")
  static let service = SessionLocation(
    name: "a service of the system as her, which wrote her login", group: "system.slice/backup.service", login: "finger")
  static let at = SessionLocation(name: "at", group: "system.slice/atd.service", login: "finger")
  static let cron = SessionLocation(name: "cron", group: "system.slice/cron.service", login: "finger")
  static let container = SessionLocation(name: "a container", group: "system.slice/docker-0f.scope", login: "finger")
  static let byAnother = SessionLocation(
    name: "the other user's desktop", group: "user.slice/user-OTHER.slice/user@OTHER.service/app.slice/term.scope",
    login: "mallory")
  static let ofAnother = SessionLocation(
    name: "the other user's session", group: "user.slice/user-OTHER.slice/session-4.scope", login: "mallory")
}

extension World {
  /// The user who is nobody's friend.
  static let other = "mallory"

  /// Has a finger asked for where it can be the owner's only, and a logind: the user is at the machine, and by ssh, and in a
  /// session in the background.
  func becomeShared(withLogind: Bool = true) throws {
    let path = root + "/etc/signet/signet.conf"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("finger_for = anyone", with: "finger_for = own").write(toFile: path, atomically: false, encoding: .utf8)
    guard withLogind else { return }
    let uid = try number(of: World.user)
    try put("seats/seat0", "ACTIVE=1\nACTIVE_UID=\(uid)\n")
    try put("sessions/1", "UID=\(uid)\nACTIVE=1\nSTATE=active\nREMOTE=0\nSEAT=seat0\nCLASS=user\n")
    try put("sessions/2", "UID=\(uid)\nACTIVE=1\nSTATE=active\nREMOTE=1\nCLASS=user\n")
    try put("sessions/3", "UID=\(uid)\nACTIVE=0\nSTATE=online\nREMOTE=0\nSEAT=seat0\nCLASS=user\n")
    try put("users/\(uid)", "STATE=active\nSESSIONS=1 2 3\nONLINE_SESSIONS=1 2 3\nACTIVE_SESSIONS=1 2\n")
    // libsystemd follows changes only where this is, too.
    try FileManager.default.createDirectory(atPath: root + "/run/systemd/machines", withIntermediateDirectories: true)
    // libsystemd looks here for how control groups are mounted. This machine's own are not touched.
    try finish(["mount", "-t", "cgroup2", "cgroup2", "/sys/fs/cgroup"])
  }

  /// Ends all sessions of the user, as logind tells it.
  func logOut() throws { try put("users/\(try number(of: World.user))", "STATE=closing\nSESSIONS=1 2 3\n") }

  /// Takes the user's session from the foreground of the seat.
  func leaveSeat() throws {
    try put("sessions/1", "UID=\(try number(of: World.user))\nACTIVE=0\nSTATE=online\nREMOTE=0\nSEAT=seat0\nCLASS=user\n")
  }

  /// The other user's session comes to the foreground of the seat.
  func switchUser() throws {
    try leaveSeat()
    let other = try number(of: World.other)
    try put("sessions/4", "UID=\(other)\nACTIVE=1\nSTATE=active\nREMOTE=0\nSEAT=seat0\nCLASS=user\n")
    try put("users/\(other)", "STATE=active\nSESSIONS=4\nONLINE_SESSIONS=4\nACTIVE_SESSIONS=4\n")
    try put("seats/seat0", "ACTIVE=4\nACTIVE_UID=\(other)\n")
  }

  /// A program of a user's, on a terminal, started from a place.
  func run(_ words: [String], as user: String = World.user, from place: SessionLocation) throws -> PseudoTerminal {
    let group = place.group.replacing("UID", with: try number(of: World.user)).replacing(
      "OTHER", with: try number(of: World.other))
    // The program keeps the number of this shell, and is found in that group by it.
    let shell = #"""
      echo "0::/$1" > /run/group.$$ && mount --bind /run/group.$$ /proc/$$/cgroup && echo "$2" > /proc/self/loginuid &&
      user=$3 && shift 3 && exec setpriv --reuid "$user" --regid "$user" --init-groups "$@"
      """#
    return try run(["/bin/sh", "-c", shell, "sh", group, try number(of: place.login), user] + words)
  }

  /// A program of a service's user, in whose processes nobody has logged in, and which writes that somebody has.
  func run(_ words: [String], asServiceWithLogin user: String) throws -> PseudoTerminal {
    let service = #"""
      echo "0::/system.slice/web.service" > /run/group.$$ && mount --bind /run/group.$$ /proc/$$/cgroup &&
      echo 4294967295 > /proc/self/loginuid && user=$1 && shift &&
      exec setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
      """#
    // The shell has to write by itself: a program that it starts would write for its own process.
    let write = #"uid=$(id -u "$1") && echo "$uid" > /proc/self/loginuid && shift && exec "$@""#
    return try run(["/bin/sh", "-c", service, "sh", "\(World.www)", "/bin/sh", "-c", write, "sh", user] + words)
  }

  private func put(_ name: String, _ text: String) throws {
    let path = root + "/run/systemd/" + name
    try FileManager.default.createDirectory(
      atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
    // Renamed into its place, as logind does: that is what is seen.
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func number(of user: String) throws -> String {
    let lines = try String(contentsOfFile: root + "/etc/passwd", encoding: .utf8).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(user + ":") }) else { throw TestKitError("no user \(user)") }
    return String(line.split(separator: ":")[2])
  }

  private func finish(_ words: [String]) throws {
    let terminal = try run(words)
    try terminal.readToEnd()
    guard try terminal.waitForExit() == 0 else { throw TestKitError("\(words): \(terminal.screen)") }
  }
}
