import Glibc
import SignetTestKit
import SignetVocabulary

/// A machine with an owner who has a finger and a passcode, fifty other users, and a signetd that knows them all. The owner's
/// client, like those of the others, is a process of its own.
final class CrowdedScene {
  static let users: ClosedRange<UInt32> = 20_001...20_050
  private static let owner: UInt32 = 20_000

  let scene: Scene
  private let ownersClient: Talker
  private var crowd: [Talker] = []

  init() throws {
    // As signetd's unit runs it.
    scene = try Scene(enrolls: false, options: ["--connection-rate", "20"])
    let daemon = scene.daemon
    let others = CrowdedScene.users.map { "crowd\($0 - 20_000):x:\($0):\($0)::/:/bin/sh\n" }.joined()
    let owner = "owner:x:\(CrowdedScene.owner):\(CrowdedScene.owner)::/:/bin/sh\n"
    try daemon.write("passwd", "root:x:0:0::/root:/bin/sh\n" + owner + others)
    let passcodes = (["owner"] + CrowdedScene.users.map { "crowd\($0 - 20_000)" }).map { "\($0):right horse:signet-passcode\n" }
    try daemon.write("passcodes", passcodes.joined())
    chmod(daemon.folder, 0o711)
    daemon.launcher = [
      "nice", "-n", CrowdedScene.niceness, "unshare", "--mount", "sh", "-c",
      "mount --bind '\(daemon.folder)/passwd' /etc/passwd && exec \"$@\"", "sh",
    ]
    try scene.restart()
    guard try scene.enroll(.rightIndexFinger, as: "right", user: "owner").last == .done else {
      throw TestKitError("the owner is not enrolled")
    }
    ownersClient = try Talker(
      [try ReaderChannel.program("pam-host"), "owner", daemon.socket, "\(CrowdedScene.owner)", "owner"],
      environment: HostRun.environment, talksOn: 1)
  }

  /// `Nice=` of signetd.service.
  private static let niceness = "-5"

  /// Lets the fifty begin, each for so long and with so many microseconds between what it does.
  func gather(seconds: Int, pause: Int) throws {
    let program = try ReaderChannel.program("pam-host")
    for user in CrowdedScene.users {
      crowd.append(
        try Talker(
          [program, "crowd", scene.daemon.socket, "\(user)", "\(seconds)", "\(user)", "\(pause)", "owner"],
          environment: HostRun.environment, talksOn: 1))
    }
    for hostile in crowd { try hostile.line(with: "begun", within: 60_000) }
  }

  /// Ends them.
  func disperse() { crowd = [] }

  /// How long the owner's login by finger takes without the time until the finger is put on, in milliseconds.
  func fingerLogin() throws -> Double {
    try ownersClient.say("finger")
    try ownersClient.line(with: "shown touchReader")
    try scene.reader.scan("right")
    let line = try ownersClient.line(with: "finger ")
    guard line.contains("verdict") && line.contains("165") else { throw TestKitError(line) }
    return CrowdedScene.milliseconds(line)
  }

  /// How long it takes until the owner is asked for the passcode.
  func prompt() throws -> Double {
    try ownersClient.say("prompt")
    let line = try ownersClient.line(with: "prompt ")
    guard line.contains("passcodeWanted") else { throw TestKitError(line) }
    return CrowdedScene.milliseconds(line)
  }

  /// How long `signet lock` takes; root takes the lock back.
  func lock() throws -> Double {
    try ownersClient.say("lock")
    let line = try ownersClient.line(with: "lock ")
    guard line.contains("done") else { throw TestKitError(line) }
    let root = try scene.daemon.connect()
    try root.send(.reset(user: "owner"))
    guard try root.nextAdministration() == .done else { throw TestKitError("root's reset is refused") }
    return CrowdedScene.milliseconds(line)
  }

  /// Makes room in the pipe that signetd logs to: it would wait for that.
  func takeLog() { _ = scene.daemon.loggedSoFar }

  var strikes: Int? { scene.daemon.strikesOnDisk(of: CrowdedScene.owner) }

  /// The most memory that signetd has had in use at a time, in MiB.
  func peakMemory() throws -> Int {
    let status = try RawFile.text("/proc/\(try daemonProcess())/status").split(separator: "\n")
    let line = status.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace)
    return (line?[1]).flatMap { Int($0) }.map { $0 / 1024 } ?? .max
  }

  func descriptors() throws -> Int { try ProcessLook(daemonProcess()).descriptors().count }

  private func daemonProcess() throws -> pid_t { scene.daemon.pid }

  private static func milliseconds(_ line: String) -> Double {
    (line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .infinity) / 1_000
  }
}
