import Glibc
import SignetTestKit

/// A bus of the test's own with signet-fprint on it, a real signetd with a virtual reader behind it, and whoever asks.
final class FprintWorld {
  let scene: Scene
  let bus: PrivateBus
  private(set) var service: Program
  private let idleExit: Int

  /// `uid`: as whom signet-fprint runs, where signetd knows that user as signet-fprint. The bus has to know the uid, too.
  init(configuration: String = "", enrolls: Bool = true, idleExit: Int = 60, uid: Int? = nil) throws {
    scene = try Scene(launcher: uid.map(FprintWorld.knowing) ?? [], enrolls: enrolls, configuration: configuration)
    bus = try PrivateBus()
    // Whoever is on the bus may be anybody.
    chmod(scene.daemon.folder, 0o755)
    self.idleExit = idleExit
    service = try FprintWorld.start(bus, scene, idleExit, as: uid)
  }

  /// Starts signetd where signet-fprint has this uid.
  private static func knowing(_ uid: Int) -> [String] {
    let script = """
      (cat /etc/passwd; echo signet-fprint:x:\(uid):65534::/:/bin/false) > STATE.passwd &&
      mount --bind STATE.passwd /etc/passwd && exec "$@"
      """
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh"]
  }

  private static func start(_ bus: PrivateBus, _ scene: Scene, _ idleExit: Int, as uid: Int?) throws -> Program {
    let launcher = uid.map { ["setpriv", "--reuid=\($0)", "--regid=65534", "--clear-groups"] } ?? []
    return try Program(
      launcher + [
        try ReaderChannel.program("signet-fprint"), "--bus", bus.address, "--socket", scene.daemon.socket, "--idle-exit",
        "\(idleExit)",
      ], descriptors: [2: 2])
  }

  /// Somebody on the bus. The first thing they are told is that there is a device.
  func client(as launcher: [String] = []) throws -> BusClient {
    let script = #filePath.dropLast("FprintWorld.swift".count) + "bus_client.py"
    let client = BusClient(
      self,
      try Talker(
        launcher + ["/usr/bin/python3", "-B", String(script), bus.address], environment: ["PATH=/usr/bin:/bin"], talksOn: 1))
    try client.line(with: "ready")
    try wait(for: "signet-fprint to have its name") {
      try client.say("GetDefaultDevice")
      return try client.line(with: "GetDefaultDevice ").hasSuffix("Device/0")
    }
    return client
  }

  /// As nobody, who has no finger here.
  static let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// One of fprintd's own programs, while something happens: what it says, and its exit status.
  func fprintd(_ words: String..., while act: (Lines) throws -> Void = { _ in }) throws -> (text: String, status: Int32) {
    try fprintd(words, while: act)
  }

  func fprintd(_ words: [String], while act: (Lines) throws -> Void = { _ in }) throws -> (text: String, status: Int32) {
    let lines = try Lines()
    let program = try Program(
      [PrivateBus.fprintd + "/" + words[0]] + words.dropFirst(),
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C", "DBUS_SYSTEM_BUS_ADDRESS=" + bus.address],
      descriptors: [1: lines.writer, 2: lines.writer])
    try act(lines)
    lines.readToEnd()
    return (lines.text, try program.waitForExit())
  }

  func verify(by finger: String) throws -> (text: String, status: Int32) {
    try fprintd("fprintd-verify") { lines in
      try lines.read(until: "Verify started!")
      try scene.reader.scan(finger)
    }
  }

  /// Somebody who is polkit.
  func polkit() throws -> BusClient {
    let polkit = try client()
    guard try polkit.call("polkit") == "ready" else { throw TestKitError("no polkit") }
    return polkit
  }

  /// What polkit's agent does: the user logs in to polkit's service.
  func proveToPolkit(_ passcode: String = RunningDaemon.passcode) throws -> LoginClient.Reply {
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user, service: "polkit-1")
    return try login.verdict(passcode: passcode)
  }
}

/// Somebody on the bus, for whom the world has to last.
final class BusClient {
  private let world: FprintWorld
  private let talker: Talker
  var program: Program { talker.program }

  init(_ world: FprintWorld, _ talker: Talker) { (self.world, self.talker) = (world, talker) }

  func say(_ words: String) throws { try talker.say(words) }

  @discardableResult func line(with text: String, within limit: Int32 = waitingLimit) throws -> String {
    let line = try talker.line(with: text, within: limit)
    // Values end after their last use.
    withExtendedLifetime(world) {}
    return line
  }

  /// Calls a method: what it answers, without its name.
  func call(_ words: String) throws -> String {
    try say(words)
    return try answer(to: words)
  }

  /// What a method answers that was called before.
  func answer(to words: String) throws -> String {
    let method = words.split(separator: " ")[0].split(separator: "/").last!
    return try line(with: "\(method) ").dropFirst(method.count + 1).description
  }
}
