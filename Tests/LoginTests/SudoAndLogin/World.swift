import CLinux
import Glibc
import SignetTestKit

/// A machine of its own inside this one: Debian's sudo, login and PAM files with our profile enabled, a user "finger" with
/// the passcode "right horse", and signetd on its usual socket with a virtual reader. See world.sh.
final class World {
  static let user = "finger"
  static let passcode = "right horse"
  /// A service's user, as Debian's www-data.
  static let www: UInt32 = 33

  let reader: VirtualReader
  private let folder: String
  private let holder: Program
  private let holderInput: Int32
  private var daemon: Program?
  private var daemonLog: Lines?

  init() throws {
    reader = try VirtualReader(.device)
    folder = try makeTemporaryFolder("world")
    var input: [Int32] = [-1, -1]
    guard clinux_pipe(&input) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    holderInput = input[1]
    let lines = try Lines()
    let checkout = String(#filePath.split(separator: "/Tests/LoginTests/")[0])
    let words = [
      "unshare", "-m", "--propagation", "private", "/bin/sh", "\(checkout)/Tests/LoginTests/SudoAndLogin/world.sh", folder,
      try ReaderChannel.program("libpam_signet.so"), try ReaderChannel.program("signet"), checkout,
      String(reader.path.dropLast(7)),
    ]
    holder = try Program(words, environment: World.environment, descriptors: [0: input[0], 1: lines.writer, 2: lines.writer])
    close(input[0])
    try lines.read(until: "ready\n")
  }

  deinit {
    daemon = nil
    close(holderInput)
    _ = try? holder.waitForExit()
    rmdir(folder)
  }

  /// signetd's process, and the one that holds this world.
  var daemonPid: pid_t { daemon?.pid ?? 0 }
  var holderPid: pid_t { holder.pid }

  /// Its files, as seen from outside.
  var root: String { "/proc/\(holder.pid)/root" }

  /// What root's programs get; a shell finds /usr/local/bin/signet.
  private static let environment = ["PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM=dumb", "LC_ALL=C.UTF-8"]

  func startDaemon() throws {
    let lines = try Lines()
    let signetd = try ReaderChannel.program("signetd")
    daemon = try Program(inside([signetd]), environment: [World.environment[0]], descriptors: [2: lines.writer])
    try lines.read(until: "signetd: ready")
    daemonLog = lines
  }

  /// Waits until signetd's log has this text, so many times.
  func awaitLog(_ text: String, times: Int = 1) throws { try daemonLog?.read(until: text, times: times) }

  /// signetd's log up to now.
  var logged: String {
    daemonLog?.readOn()
    return daemonLog?.text ?? ""
  }

  /// Stops signetd, as a debugger would: it is there and says nothing.
  func stopDaemon() { daemon?.signal(SIGSTOP) }

  /// Starts signetd and enrolls the finger "right".
  func enroll() throws {
    try startDaemon()
    try enroll("right-index-finger", as: "right")
  }

  /// Enrolls a finger, as root.
  func enroll(_ finger: String, as scan: String, user: String = World.user) throws {
    try enroll(scan, on: run(["signet", "enroll", finger, "--user", user, "--yes"]))
  }

  /// The first finger by the user, with the passcode: then there is a vault, too.
  func enrollWithVault() throws {
    try startDaemon()
    let terminal = try runAsUser(["signet", "enroll", "right-index-finger"])
    try terminal.read(until: "Passcode: ")
    terminal.type(World.passcode + "\n")
    try enroll("right", on: terminal)
  }

  private func enroll(_ scan: String, on terminal: PseudoTerminal) throws {
    try terminal.read(until: "fingerprint reader")
    try reader.scan(scan)
    for completed in 1..<5 {
      try terminal.read(until: "\(completed) of 5")
      try reader.scan(scan)
    }
    try terminal.readToEnd()
    let status = try terminal.waitForExit()
    guard status == 0 else { throw TestKitError("signet enroll: \(terminal.screen)") }
  }

  /// A program on a terminal, run by root.
  func run(_ words: [String]) throws -> PseudoTerminal {
    try PseudoTerminal(inside(words), environment: World.environment)
  }

  /// The same, run by the user.
  func runAsUser(_ words: [String]) throws -> PseudoTerminal { try run(words, as: World.user) }

  /// The same, run by this user.
  func run(_ words: [String], as user: String) throws -> PseudoTerminal {
    try run(["setpriv", "--reuid", user, "--regid", user, "--init-groups"] + words)
  }

  /// Lets sudo keep its record of a terminal for a while: without one it has nothing that it could lock, and fails where it goes on
  /// after a stop in its own prompt.
  func letSudoRemember() throws {
    let setting = "printf 'Defaults timestamp_timeout=5\\n' > /etc/sudoers.d/time"
    guard try run(["sh", "-c", setting]).waitForExit() == 0 else { throw TestKitError("/etc/sudoers.d/time") }
  }

  func sudo(_ words: String...) throws -> PseudoTerminal { try runAsUser(["sudo"] + words) }

  func login() throws -> PseudoTerminal { try run(["login", World.user]) }

  /// The words of a program that is to run in there.
  func inside(_ words: [String]) -> [String] { ["nsenter", "-t", "\(holder.pid)", "-m", "--"] + words }
}
