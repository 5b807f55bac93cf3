import CLinux
import Foundation
import Glibc

/// A user with an enrolled finger, their reader, a running signetd, and what can be done to them.
public final class Scene {
  public let reader: VirtualReader
  public let daemon: RunningDaemon
  /// Reached by whoever checks a passcode, after `holdPasscodeChecks`.
  public private(set) var checking: Meeting?
  private var release: Meeting?

  public init(
    _ kind: VirtualReader.Kind = .device, launcher: [String] = [], enrolls: Bool = true,
    configuration: String = "", rules: String = RunningDaemon.noRules, options: [String] = []
  ) throws {
    reader = try VirtualReader(kind)
    daemon = try RunningDaemon(reader, configuration: configuration, rules: rules, options: options, start: false)
    daemon.launcher = launcher.map { $0.replacing("STATE", with: daemon.stateDirectory) }
    try daemon.start()
    guard enrolls else { return }
    try daemon.enroll(.rightIndexFinger, as: "right", on: reader)
    // Who used it hears of the end a moment before it is closed, and a finger of that moment is lost with it.
    try reader.awaitClosed()
  }

  public var folder: String { "\(daemon.stateDirectory)/users/\(daemon.uid)" }
  public var strikesFile: String { folder + "/strikes" }
  public var deviceKeyFile: String { daemon.stateDirectory + "/device.key" }
  public var templateFile: String {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      guard let name = names.first(where: { $0.hasSuffix(".template") && !$0.hasPrefix(".") }) else {
        throw TestKitError("no template in \(folder)")
      }
      return "\(folder)/\(name)"
    }
  }

  public func restart(_ signal: Int32 = SIGTERM) throws {
    daemon.end(signal)
    try daemon.start()
  }

  /// A signet-passcode that says that nobody has a passcode, and that accounts are open.
  public static let noPasscode =
    "exec python3 -c 'import os; o = {5: 0x5A}.get(os.read(0, 4096)[1], 2); os.write(0, bytes([1, 2, o, 0, 0, 0, 0]))'"

  /// Puts a script, or nothing, in the place of one of signetd's programs, and starts signetd anew.
  public func replace(_ name: String, by script: String?) throws {
    let own = daemon.folder + "/bin"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
    for program in ["signetd", "signet-reader", "signet-passcode"] where program != name {
      // signetd looks beside the file that runs, so a link must be a hard one; where /tmp is another file system, a copy.
      let source = try ReaderChannel.program(program)
      if link(source, "\(own)/\(program)") != 0 {
        guard try Program(["/bin/cp", source, own]).waitForExit() == 0 else { throw TestKitError("\(source) cannot be copied") }
      }
    }
    if let script { try writeScript("#!/bin/sh\n\(script)\n", to: "\(own)/\(name)") }
    daemon.program = own + "/signetd"
    try restart()
  }

  /// The service that checks passcodes, of these lines; by those of `account` accounts are open.
  public func setPasscodeService(_ lines: String..., account: [String] = ["account required pam_permit.so"]) throws {
    try daemon.write("pam/signet-passcode", (lines + account).joined(separator: "\n") + "\n")
  }

  /// Every passcode check waits from now on, once it has begun, until the scene ends.
  public func holdPasscodeChecks() throws {
    let (arrival, release) = (try Meeting(daemon.folder + "/checking"), try Meeting(daemon.folder + "/release"))
    try daemon.write("check", "echo checking > \(arrival.path)\nread word < \(release.path)\n")
    try setPasscodeService("auth required pam_exec.so expose_authtok quiet /bin/sh \(daemon.folder)/check")
    (checking, self.release) = (arrival, release)
  }

  /// The first thing that signetd says about this finger; the login ends with it.
  @discardableResult
  public func attempt(_ finger: String) throws -> LoginClient.Reply {
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    try client.awaitArmed()
    try reader.scan(finger)
    return try client.next()
  }

  /// The same after the reader was unplugged: until libfprint has it anew, a login comes to the passcode.
  public func attemptOnceBack(_ finger: String) throws {
    let deadline = PAMHost.microseconds() + Int64(waitingLimit) * 1000
    while true {
      do { return _ = try attempt(finger) } catch { if PAMHost.microseconds() >= deadline { throw error } }
    }
  }

  /// Waits until signetd has a child of this name; one that was just started has none yet.
  @discardableResult
  public func awaitChild(named name: String) throws -> [pid_t] {
    var pids: [pid_t] = []
    try wait(for: "a \(name) of signetd's") {
      pids = try ProcessLook(daemon.pid).children(named: name)
      return !pids.isEmpty
    }
    return pids
  }

  public func awaitNoChild(named name: String) throws {
    for pid in try ProcessLook(daemon.pid).children(named: name) where !ends(pid) {
      throw TestKitError("\(name) lives on")
    }
  }

  /// Sends a signal to signetd's children of this name, and waits until who is to stop has stopped; at least one there must be.
  public func signal(_ signal: Int32, to name: String) throws {
    for pid in try awaitChild(named: name) {
      kill(pid, signal)
      if signal == SIGSTOP { try wait(for: "\(name) to stop") { try ProcessLook(pid).isStopped } }
    }
  }
}
