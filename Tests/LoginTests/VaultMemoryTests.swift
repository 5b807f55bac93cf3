import CLinux
import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// What can be read of an open vault, or of one that was locked, from outside signetd: nothing, except through requests.
@Suite(.serialized) struct VaultMemoryTests {
  private static let canRead: ConditionTrait = .enabled(
    if: ProcessMemory.isReadable, "needs root, and a signetd without a sanitizer, to read its memory")
  private static let canDump: ConditionTrait = .enabled(
    if: access("/usr/bin/gcore", X_OK) == 0, "needs gcore, of Debian's package gdb")

  private let anyone = ItemName(service: "anyone", account: "")
  private let finger = ItemName(service: "finger", account: "")
  private let passcode = ItemName(service: "passcode", account: "")

  /// A vault with a few items and a login secret, each of which was released.
  private func usedScene() throws -> Scene {
    let scene = try Scene(configuration: "authtok_services = test")
    let token = try scene.loginByPasscode(until: "vault made")
    try scene.openSession(token)
    var random = SeededGenerator(seed: 0x7661_756C_7400_0001)
    let controls = [
      (anyone, AccessControl()), (finger, AccessControl(.biometryCurrentSet)), (passcode, AccessControl(.devicePasscode)),
    ]
    for (name, control) in controls {
      let value = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      let item = Item(name, accessControl: control, accessibility: .afterFirstUnlock)
      #expect(try scene.ask(.add(user: "", item, length: UInt32(value.count)), value: value).end == .done)
      let proving = name == passcode ? Proving(passcode: RunningDaemon.passcode) : Proving(touch: scene.touch())
      #expect(try scene.ask(.read(user: "", name), proving).value == value)
    }
    let secret = (0..<64).map { _ in UInt8.random(in: 1...255, using: &random) }
    #expect(try scene.ask(.add(user: "", .loginSecret, length: UInt32(secret.count)), value: secret).end == .done)
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user)
    try login.awaitArmed()
    try scene.reader.scan("right")
    #expect(try login.next().isSuccess)
    #expect(login.authtok == secret)
    #expect(try scene.ask(.list(user: "")).items.count == 4)
    return scene
  }

  private func secrets(_ scene: Scene) throws -> VaultSecrets {
    try VaultSecrets(scene, [anyone, finger, passcode, .loginSecret])
  }

  /// Expects that none of these secrets is in the memory of signetd that can be read, and that so many pages cannot be read.
  private func expectNone(
    of secrets: VaultSecrets, secretPages: Int, _ scene: Scene, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let memory = try ProcessMemory(of: scene.daemon.pid)
    let canFind = memory.holds(Array("signet-reader".utf8))
    #expect(canFind, "what signetd has can be found", sourceLocation: location)
    let found = secrets.found(in: memory.holds)
    #expect(found == [], sourceLocation: location)
    let pages = memory.unreadable.count { $0.contains("secretmem") }
    #expect(pages == secretPages, sourceLocation: location)
  }

  @Test(canRead) func `of a vault that was used nothing can be read, and after five strikes nothing is there`() throws {
    let scene = try usedScene()
    let secrets = try secrets(scene)
    let ours = try ProcessMemory(of: getpid())
    #expect(secrets.found(in: ours.holds) == secrets.all.map(\.name), "what is searched for can be found")
    try expectNone(of: secrets, secretPages: 1, scene)
    try scene.strikeOut()
    try scene.daemon.awaitLog("vault closed")
    try expectNone(of: secrets, secretPages: 0, scene)
  }

  @Test(canRead) func `while a request goes on, nothing is left of the passcode that it began with`() throws {
    let scene = try usedScene()
    let both = Item(ItemName(service: "both", account: ""), accessControl: AccessControl([.biometryAny, .devicePasscode], .and))
    let value = [UInt8](repeating: 0x42, count: 32)
    #expect(try scene.ask(.add(user: "", both, length: 32), value: value).end == .done)
    let secrets = try secrets(scene)
    try scene.lock()
    // The passcode has opened the vault; the thread that got it waits for the finger, with all that is on its stack.
    let proving = Proving(
      touch: {
        try expectNone(of: secrets, secretPages: 1, scene)
        try scene.reader.scan("right")
      }, passcode: RunningDaemon.passcode)
    let answer = try scene.ask(.read(user: "", both.name), proving)
    #expect(answer.value == value)
    #expect(answer.questions == [.passcode(.vault), .finger])
  }

  @Test(canRead, canDump) func `a debugger's core dump of signetd has none of it, before and after five strikes`() throws {
    let scene = try usedScene()
    let secrets = try secrets(scene)
    for isLocked in [false, true] {
      if isLocked {
        try scene.strikeOut()
        try scene.daemon.awaitLog("vault closed")
      }
      let core = try dump(scene)
      let canFind = core.holds(Array("signet-reader".utf8))
      #expect(canFind, "what signetd has can be found")
      #expect(secrets.found(in: core.holds) == [], "locked: \(isLocked)")
    }
  }

  /// Has core dumps contain all mappings, even those that signetd keeps out of them.
  private func dump(_ scene: Scene) throws -> [UInt8] {
    let path = "\(scene.daemon.folder)/core"
    _ = try Program.output(["gcore", "-a", "-o", path, "\(scene.daemon.pid)"])
    return try RawFile.read("\(path).\(scene.daemon.pid)")
  }

  // MARK: - the kernel's core dumps

  private static let writesCores: ConditionTrait = .enabled("needs a kernel that writes core dumps: see core(5)") {
    let folder = try TemporaryFolder()
    let lines = try Lines()
    let program = try Program(
      dumping(in: folder) + ["sh", "-c", "echo ready; exec sleep 1000"], environment: ["PATH=/usr/bin:/bin"],
      descriptors: [1: lines.writer])
    try lines.read(until: "ready")
    return try dumpsCore(program.pid)
  }

  /// A shell that becomes another program, in a folder where core dumps may be written, of any size.
  private static func dumping(in folder: TemporaryFolder) -> [String] {
    ["sh", "-c", "cd '\(folder.path)' && ulimit -c unlimited && exec \"$@\"", "sh"]
  }

  /// Whether the kernel writes a core dump of a process that is ended by a signal.
  private static func dumpsCore(_ pid: pid_t) throws -> Bool {
    kill(pid, SIGABRT)
    var end = siginfo_t()
    guard waitid(P_PID, id_t(pid), &end, WEXITED | WNOWAIT) == 0 else { throw TestKitError("waitid: \(clinux_errno())") }
    return end.si_code == Int32(CLD_DUMPED)
  }

  @Test(canRead, writesCores) func `the kernel writes no core dump of signetd`() throws {
    let folder = try TemporaryFolder()
    let scene = try Scene(launcher: VaultMemoryTests.dumping(in: folder))
    try scene.loginByPasscode(until: "vault made")
    #expect(try !VaultMemoryTests.dumpsCore(scene.daemon.pid))
  }

  /// Swift's runtime would write registers, and the memory that they point to.
  @Test(canRead, arguments: [SIGSEGV, SIGABRT, SIGILL]) func `signetd ends in a crash without a word`(signal: Int32) throws {
    let scene = try Scene(enrolls: false)
    let log = scene.daemon.loggedSoFar
    kill(scene.daemon.pid, signal)
    var end = siginfo_t()
    #expect(waitid(P_PID, id_t(scene.daemon.pid), &end, WEXITED | WNOWAIT) == 0)
    #expect(end.si_code == Int32(CLD_KILLED))
    #expect(scene.daemon.loggedSoFar == log)
  }

  @Test func `nothing that has secrets writes about them in a crash`() throws {
    let scene = try Scene()
    try scene.holdPasscodeChecks()
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    try expectNoCrashReport(by: [scene.daemon.pid] + scene.awaitChild(named: "signet-reader"))
    try client.fallback()
    guard case .askPasscode = try client.afterShowing() else { throw TestKitError("no passcode is asked for") }
    try client.answer(passcode: RunningDaemon.passcode)
    try scene.checking?.awaitArrival()
    try expectNoCrashReport(by: scene.awaitChild(named: "signet-passcode"))
  }

  /// That the signals of a crash end these processes, as the kernel has it.
  private func expectNoCrashReport(by pids: [pid_t]) throws {
    for pid in pids {
      let status = try RawFile.text("/proc/\(pid)/status")
      let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
      let signals = try #require(caught.flatMap { UInt64($0, radix: 16) })
      for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
        #expect(signals & 1 << UInt64(signal - 1) == 0, "\(status.prefix(24)), signal \(signal)")
      }
    }
  }
}
