import Glibc
import SignetTestKit
import SignetWire

/// A signetd whose clocks, start of the machine and user database a test sets, and a user with a finger. The machine's own
/// are left alone: a preloaded clock_gettime(2), and files mounted over others in a mount namespace of signetd's own.
final class Stage {
  let scene: Scene
  private let clocks: FalseClocks

  var daemon: RunningDaemon { scene.daemon }

  /// - Parameters:
  ///   - rules: of signet.conf; empty for the defaults.
  ///   - users: its /etc/passwd; `daemon.write("passwd", ...)` changes it.
  init(rules: String = "", users: String? = nil) throws {
    scene = try Scene(enrolls: false, rules: rules)
    clocks = try FalseClocks(in: scene.daemon.folder)
    try scene.daemon.write("boot_id", Stage.bootIdentity(1))
    var mounts = [("boot_id", "/proc/sys/kernel/random/boot_id")]
    if let users {
      try scene.daemon.write("passwd", users)
      mounts.append(("passwd", "/etc/passwd"))
    }
    let commands = mounts.map { "mount --bind \(scene.daemon.folder)/\($0.0) \($0.1)" }
    daemon.launcher =
      ["unshare", "-m", "--propagation", "private", "sh", "-c", (commands + ["exec \"$@\""]).joined(separator: " && "), "sh"]
      + clocks.launcher
    try scene.restart()
    try daemon.enroll(.rightIndexFinger, as: "right", on: scene.reader)
  }

  private static func bootIdentity(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits + "\n"
  }

  /// From now on signetd's clocks are so many seconds ahead of the machine's.
  func setClocks(wall: Int = 0, boot: Int = 0) throws { try clocks.set(wall: wall, boot: boot) }

  /// A start of the machine: signetd is killed, what is not on disk is lost, and another boot is known.
  func reboot(_ number: Int) throws {
    daemon.end(SIGKILL)
    removeTree(daemon.runtimeDirectory)
    try daemon.write("boot_id", Stage.bootIdentity(number))
    try daemon.start()
  }

  /// What signetd says to a login, up to its end; the finger and the passcode are given where they are asked for.
  func logIn(finger: String? = "right", passcode: String? = nil) throws -> [LoginClient.Reply] {
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    var replies: [LoginClient.Reply] = []
    while true {
      let reply = try client.next()
      replies.append(reply)
      switch reply {
      case .show(.touchReader, _, _): if let finger { try scene.reader.scan(finger) } else { try client.fallback() }
      case .askPasscode: if let passcode { try client.answer(passcode: passcode) } else { try client.cancel() }
      case .show(.notRecognised, _, _): try client.cancel()
      case .verdict, .busy, .closed: return replies
      case .show: continue
      }
    }
  }

  /// Uses the passcode once.
  func usePasscode() throws {
    guard try logIn(finger: nil, passcode: RunningDaemon.passcode).last?.isSuccess == true else {
      throw TestKitError("the passcode is not taken")
    }
  }

  func status() throws -> StatusRow { try scene.status() }
}
