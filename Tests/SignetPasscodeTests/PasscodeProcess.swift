import CLinux
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetWire

/// signetd's end of a real signet-passcode, and a folder with the PAM services it may be told to use.
final class PasscodeProcess {
  let confdir: String
  private var process: Program?
  private var channel: Int32 = -1

  init() throws {
    confdir = try makeTemporaryFolder("passcode")
  }

  deinit {
    process = nil
    if channel >= 0 { close(channel) }
    removeTree(confdir)
  }

  /// Writes a PAM service, or another file, into the folder.
  @discardableResult func write(_ name: String, _ text: String) throws -> String {
    let path = confdir + "/" + name
    let file = clinux_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw TestKitError("\(path)") }
    close(file)
    return path
  }

  func makePipe(_ name: String) throws -> String {
    guard mkfifo(confdir + "/" + name, 0o600) == 0 else { throw TestKitError("mkfifo: \(clinux_errno())") }
    return confdir + "/" + name
  }

  func makeFolder(_ name: String) throws -> String {
    guard mkdir(confdir + "/" + name, 0o700) == 0 else { throw TestKitError("mkdir: \(clinux_errno())") }
    return confdir + "/" + name
  }

  /// A stack of the scripted module with these steps.
  func script(_ steps: String, service: String = "signet-passcode") throws {
    try write(service, "auth required \(try ScriptedModule.path.get()) \(steps)\n")
  }

  /// Starts it; `launcher` stands in front of its path.
  func start(launcher: [String] = [], environment: [String] = []) throws {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TestKitError("socketpair: \(clinux_errno())")
    }
    defer { close(ends[1]) }
    channel = ends[0]
    process = try Program(
      launcher + [try ReaderChannel.program("signet-passcode")], environment: environment, descriptors: [0: ends[1]])
  }

  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { CLinux.send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  func hangUp() {
    close(channel)
    channel = -1
  }

  /// Its answer, or `nil` where it ended without one.
  func answer(within limit: Int32 = waitingLimit) throws -> PasscodeAnswer? {
    var ready = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) == 1 else { throw TestKitError("no answer within \(limit) ms") }
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = recv(channel, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    return try PasscodeAnswer(parsing: Array(buffer.prefix(count)).span)
  }

  func signal(_ signal: Int32) { process?.signal(signal) }

  func exitStatus() throws -> Int32 {
    guard let process else { throw TestKitError("not started") }
    return try process.waitForExit()
  }

  /// A whole check with a process of its own.
  func check(
    user: String = "tester", service: String = "signet-passcode", confdir: String? = nil, passcode: String = "right",
    launcher: [String] = []
  ) throws -> PasscodeAnswer? {
    try start(launcher: launcher)
    for packet in try PasscodeProcess.packets(user, service, confdir ?? self.confdir, Array(passcode.utf8)) { send(packet) }
    let answer = try answer()
    let status = try exitStatus()
    guard status == (answer == nil ? 1 : 0) else {
      throw TestKitError("exit status \(status) with answer \(String(describing: answer))")
    }
    hangUp()
    return answer
  }

  /// Asks a process of its own whether the user has a passcode.
  func ask(about user: String, launcher: [String] = []) throws -> PasscodeAnswer? {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
    try PasscodeQuestion(user: user).write(into: &packet)
    try start(launcher: launcher)
    send(Array(copying: packet.span))
    defer { hangUp() }
    return try answer()
  }

  /// Asks a process of its own whether the user's account is open.
  func judge(user: String = "tester", service: String = "signet-passcode") throws -> PasscodeAnswer? {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
    try AccountQuestion(PasscodeStack(user: user, service: service, confdir: confdir)).write(into: &packet)
    try start()
    send(Array(copying: packet.span))
    defer { hangUp() }
    return try answer()
  }

  /// The stack, and the check behind it.
  static func packets(_ user: String, _ service: String, _ confdir: String, _ passcode: [UInt8]) throws -> [[UInt8]] {
    guard var stack = SecretBytes(capacity: PacketLimit.packet), var check = SecretBytes(capacity: PacketLimit.packet) else {
      throw TestKitError("no memory")
    }
    try PasscodeStack(user: user, service: service, confdir: confdir).write(into: &stack)
    try PasscodeCheck(passcode: passcode.span).write(into: &check)
    return [Array(copying: stack.span), Array(copying: check.span)]
  }
}

/// scripted_module.c, compiled once a run by the compiler that comes with Swift.
enum ScriptedModule {
  static let path = Result<String, any Error> {
    let source = String(#filePath.dropLast("PasscodeProcess.swift".count)) + "scripted_module.c"
    let target = folder + "/scripted_module.so"
    atexit { ScriptedModule.remove() }
    try compileSharedObject(source, to: target, "-lpam")
    return target
  }

  private static let folder: String = {
    var template = Array("/tmp/signet-module-XXXXXX".utf8CString)
    mkdtemp(&template)
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  private static func remove() {
    unlink(folder + "/scripted_module.so")
    rmdir(folder)
  }
}
