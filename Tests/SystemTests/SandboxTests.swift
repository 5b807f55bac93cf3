import CLinux
import Foundation
import SignetTestKit
import Testing

/// Tests run without systemd, so they compare what the programs do without its sandbox with what the sandbox would allow.
@Suite struct `the sandbox of signetd.service` {
  @Test func `allows every system call of a login by finger, by passcode, and of enrolling`() throws {
    let allowed = try SystemCallFilter(unit: "\(Checkout.path)/Sources/signetd/signetd/systemd/signetd.service").allowed
    #expect(allowed.contains("openat") && !allowed.contains("mount") && !allowed.contains("ptrace"))
    let used = try systemCalls()
    #expect(used.isSuperset(of: ["execve", "fsync", "accept4"]))
    // GLib tries whether it may set a thread's scheduling, and does without.
    #expect(used.subtracting(allowed).subtracting(["sched_setattr"]) == [])
  }

  /// What signetd, signet-reader and signet-passcode call, from their start to their end.
  private func systemCalls() throws -> Set<String> {
    let reader = try VirtualReader(.image)
    let daemon = try RunningDaemon(reader, start: false)
    let trace = "\(daemon.folder)/trace"
    let lines = try Lines()
    let signetd = try Program(
      [
        "strace", "-f", "-qq", "-o", trace, ReaderChannel.program("signetd"), "--socket", daemon.socket, "--state-dir",
        daemon.stateDirectory, "--runtime-dir", daemon.runtimeDirectory, "--config", "\(daemon.folder)/signet.conf",
        "--idle-exit", "1",
      ], environment: ["PATH=/usr/bin:/bin"], descriptors: [2: lines.writer])
    try lines.read(until: "signetd: ready")
    try enrollAndLogIn(daemon, reader)
    // Idle, it ends by itself, and its reader with it.
    _ = try signetd.waitForExit()
    return try SystemCallFilter.used(in: trace)
  }

  private func enrollAndLogIn(_ daemon: RunningDaemon, _ reader: VirtualReader) throws {
    let finger = SyntheticFinger(seed: 1)
    let enrolling = try daemon.connect()
    try enrolling.send(.enroll(user: daemon.user, .rightThumb, reader: ""))
    var isDone = false
    var touches = 0
    while !isDone {
      switch try enrolling.nextAdministration() {
      case .askPasscode: try enrolling.answer(passcode: RunningDaemon.passcode)
      case .show(.touchReader, _, _), .enrollStage(0..<5, _, _):
        touches += 1
        try reader.present(finger.impression(touches))
      case .done: isDone = true
      case .refused(let refusal): throw Failure(what: "\(refusal)")
      default: continue
      }
    }
    let byFinger = try daemon.connect()
    try byFinger.authenticate(daemon.user)
    try byFinger.awaitArmed()
    try reader.present(finger.impression(9))
    #expect(try byFinger.next().isSuccess)
    let byPasscode = try daemon.connect()
    try byPasscode.authenticate(daemon.user)
    try byPasscode.awaitArmed()
    try byPasscode.fallback()
    #expect(try byPasscode.verdict(passcode: RunningDaemon.passcode).isSuccess)
    // The passcode has opened the vault, and while it is open signetd does not end for being idle.
    let locking = try daemon.connect()
    try locking.send(.lock(user: ""))
    #expect(try locking.nextAdministration() == .done)
  }
}

@Suite struct `the sandboxes of the other units` {
  private let folder: TemporaryDirectory
  private var trace: String { "\(folder.path)/trace" }

  init() throws { folder = try TemporaryDirectory() }

  /// Runs under it what the program is to do, and compares.
  private func check(_ unit: String, _ words: [String], _ body: (Talker) throws -> Void) throws {
    let allowed = try SystemCallFilter(unit: "\(Checkout.path)/Sources/signetd/signetd/systemd/\(unit)").allowed
    let program = try Talker(
      // -I 2: a signal ends it, and what it runs.
      ["strace", "-f", "-qq", "-I", "2", "-o", trace] + words, environment: ["PATH=/usr/bin:/bin"], talksOn: 2)
    try body(program)
    let used = try SystemCallFilter.used(in: trace)
    #expect(used.contains("connect") && used.count > 20)
    // GLib tries whether it may set a thread's scheduling, and does without.
    #expect(used.subtracting(allowed).subtracting(["sched_setattr"]) == [])
  }

  @Test(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
  func `signet-logind may do what a locked session needs, and a bus that goes`() throws {
    let bus = try PrivateBus()
    let logind = try BusPeer(on: bus)
    try logind.does("session c1 \(getuid())")
    try logind.does("own")
    let daemon = try RunningDaemon()
    let words = [try ReaderChannel.program("signet-logind"), "--bus", bus.address, "--socket", daemon.socket]
    try check("signet-logind.service", words) { listener in
      try listener.line(with: "listening to logind")
      try logind.does("lock c1")
      try listener.line(with: "the passcode of \(daemon.user)")
      try bus.end()
      try listener.line(with: "trying again")
      listener.program.signal(SIGTERM)
      _ = try listener.program.waitForExit()
    }
  }

  @Test(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
  func `signet-fprint may do what its clients ask, and end`() throws {
    let bus = try PrivateBus()
    let reader = try VirtualReader(.device)
    let daemon = try RunningDaemon(reader)
    func calls(_ path: String, _ method: String, _ words: String...) throws -> Bool {
      let name = "net.reactivated.Fprint"
      let call = [
        "gdbus", "call", "--address", bus.address, "--dest", name, "--object-path", "/net/reactivated/Fprint/\(path)",
        "--method", "\(name).\(method)",
      ]
      return try Program(call + words, environment: ["PATH=/usr/bin:/bin"]).waitForExit() == 0
    }
    let words = [
      try ReaderChannel.program("signet-fprint"), "--bus", bus.address, "--socket", daemon.socket, "--idle-exit", "2",
    ]
    try check("signet-fprint.service", words) { service in
      try SignetTestKit.wait(for: "its name") { try calls("Manager", "Manager.GetDefaultDevice") }
      #expect(try calls("Device/0", "Device.Claim", ""))
      #expect(try !calls("Device/0", "Device.ListEnrolledFingers", ""))
      #expect(try service.program.waitForExit() == 0)
    }
  }

  @Test(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
  func `signet-hid may do what a device needs, and end`() throws {
    let bus = try PrivateBus()
    let logind = try BusPeer(on: bus)
    try logind.does("own")
    try logind.does("at-seat c1 \(getuid())")
    try logind.does("active c1")
    // A node that takes what is written, and says nothing.
    let words = [
      try ReaderChannel.program("signet-hid"), "--bus", bus.address, "--socket", bus.folder + "/hid", "--device", "/dev/null",
      "--idle-exit", "1",
    ]
    try check("../../../helpers/signet-hid/systemd/signet-hid.service", words) { service in
      let user = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
      try SignetTestKit.wait(for: "its socket") { clinux_connect_unix(user, bus.folder + "/hid") == 0 }
      try service.line(with: "a device for uid \(getuid())")
      #expect(send(user, [UInt8](repeating: 1, count: 64), 64, Int32(MSG_NOSIGNAL)) == 64)
      close(user)
      try service.line(with: "the device is gone")
      #expect(try service.program.waitForExit() == 0)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: nobody else may say that the machine sleeps"))
  func `signet-sleep may tell signetd`() throws {
    let daemon = try RunningDaemon()
    let words = [try ReaderChannel.program("signet"), "suspend", "--socket", daemon.socket]
    try check("signet-sleep.service", words) { signet in
      let status = try signet.program.waitForExit()
      #expect(status == 0)
    }
  }
}

/// The system calls that a unit's `SystemCallFilter=` lines leave, as systemd.exec(5) adds them up.
struct SystemCallFilter {
  private(set) var allowed: Set<String>

  init(unit: String) throws {
    allowed = try SystemCallFilter.members(of: "@default")
    for line in try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n") {
      guard line.hasPrefix("SystemCallFilter=") else { continue }
      var words = line.dropFirst("SystemCallFilter=".count)
      let removes = words.first == "~"
      if removes { words = words.dropFirst() }
      for word in words.split(separator: " ") {
        let members = try SystemCallFilter.members(of: String(word))
        if removes { allowed.subtract(members) } else { allowed.formUnion(members) }
      }
    }
  }

  /// The calls in what strace wrote.
  static func used(in trace: String) throws -> Set<String> {
    let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /\d+ +([a-z_0-9]+)\(/).map { String($0.1) }
    }
    return Set(calls)
  }

  /// A call, or those of a set and of the sets in it.
  private static func members(of name: String) throws -> Set<String> {
    guard name.hasPrefix("@") else { return [name] }
    let listing = try Command("/usr/bin/systemd-analyze", ["syscall-filter", name])
    guard listing.status == 0 else { throw Failure(what: "systemd-analyze syscall-filter \(name): \(listing.output)") }
    var members: Set<String> = []
    for line in listing.output.split(separator: "\n").dropFirst() {
      let word = line.drop { $0 == " " }
      if word.isEmpty || word.hasPrefix("#") { continue }
      members.formUnion(try self.members(of: String(word)))
    }
    return members
  }
}
