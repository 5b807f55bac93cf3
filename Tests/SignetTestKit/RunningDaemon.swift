import CLinux
import Glibc
import SignetClient
import SignetMemory
import SignetVocabulary

/// A real signetd, with the real signet-reader and signet-passcode, in a temporary folder. Passcodes are checked by
/// pam_matrix (Debian's libpam-wrapper) in a private PAM folder, so that no account of the machine is touched.
///
/// Ended, reaped and removed when the object goes. Use it from one thread at a time.
public final class RunningDaemon {
  /// The temporary folder; everything below is in it.
  public let folder: String
  public var socket: String { folder + "/socket" }
  public var stateDirectory: String { folder + "/state" }
  public var runtimeDirectory: String { folder + "/run" }
  /// The private PAM folder, for services of the test's own.
  public var confdir: String { folder + "/pam" }

  public static let passcode = "right horse"
  /// The user who runs the test; the daemon lets anyone act as themselves.
  public let user: String
  public let uid: UInt32

  public private(set) var pid: pid_t = 0
  public private(set) var log = ""
  private var standardError: Int32 = -1
  private let options: [String]
  /// signetd's path, for the next start; `nil` for the one that was built.
  public var program: String?
  /// A program with arguments that becomes signetd (unshare, a shell that sets limits), for the next start.
  public var launcher: [String] = []
  /// What the next start has as its standard input; /dev/null otherwise.
  public var standardInput: Int32?

  /// Starts signetd and waits until it is ready. `configuration` is appended to signet.conf, `rules` says when the passcode
  /// comes first: empty for the defaults of signet.conf(5).
  public init(
    _ reader: VirtualReader? = nil, configuration: String = "", rules: String = noRules, options: [String] = [],
    start: Bool = true
  ) throws {
    folder = try makeTemporaryFolder("test")
    uid = geteuid()
    guard let entry = getpwuid(uid) else { throw TestKitError("uid \(uid) has no name") }
    user = String(cString: entry.pointee.pw_name)
    self.options = options
    mkdir(confdir, 0o755)
    try write("passcodes", "\(user):\(RunningDaemon.passcode):signet-passcode\n")
    try write(
      "pam/signet-passcode",
      "auth required \(RunningDaemon.matrix) passdb=\(folder)/passcodes\naccount required pam_permit.so\n")
    try write(
      "signet.conf",
      """
      reader_user = root
      passcode_confdir = \(confdir)
      \(configuration.contains("finger_for") ? "" : RunningDaemon.anyone)
      \(configuration.contains("prompt = ") ? "" : RunningDaemon.fingerFirst)
      \(configuration.contains("vault_passcode_memory") ? "" : "vault_passcode_memory = 16")
      \(options.contains("--tpm") ? "" : "tpm = no")
      \(rules)
      \(reader?.configuration ?? "")
      \(configuration)

      """)
    if start { try self.start() }
  }

  /// The programs that test are in no session at a seat. `LocalPresenceTests` say from whom a finger is asked.
  public static let anyone = "finger_for = anyone"

  /// Nor have most of them a terminal, and would be asked for the passcode first.
  public static let fingerFirst = "prompt = finger_first"

  /// Tests ask faster than any user does; those of the rate say their own.
  private static let unhurried = ["--connection-rate", "0"]

  /// scrypt with what it takes outside of tests, which is so long that something else can happen meanwhile. The others have the least.
  public static let usualScrypt = "vault_passcode_memory = 128"

  /// No rule of time asks for the passcode, so that a test about something else need not use it first.
  public static let noRules = """
    passcode_after_boot = no
    passcode_after_inactivity = off
    passcode_after_age = off
    """

  deinit {
    end(SIGKILL)
    removeTree(folder)
  }

  public static let matrix = LibPAM.wrapper("pam_matrix.so")

  /// Writes a file below the folder.
  public func write(_ name: String, _ text: String) throws {
    let bytes = Array(text.utf8)
    let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw TestKitError("\(folder)/\(name): \(clinux_errno())")
    }
    close(file)
  }

  /// The signetd that was built with the thread sanitizer (`make tsan`), to be used in the place of the usual one.
  private static let instrumented = getenv("SIGNET_TSAN_SIGNETD").map { String(cString: $0) }
  /// Empty, as signetd must be content with, but for the options of the sanitizer.
  private static let environment = getenv("TSAN_OPTIONS").map { ["TSAN_OPTIONS=" + String(cString: $0)] } ?? []

  /// Starts signetd, again after an `end`.
  public func start() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Large enough for a whole test's log, which is read only when a test asks.
    _ = fcntl(ends[0], 1031 /* F_SETPIPE_SZ is behind _GNU_SOURCE */, 1 << 20)
    standardError = ends[0]
    log = ""
    let words =
      launcher + [
        try program ?? RunningDaemon.instrumented ?? ReaderChannel.program("signetd"), "--socket", socket, "--state-dir",
        stateDirectory, "--runtime-dir", runtimeDirectory, "--config", folder + "/signet.conf",
      ] + RunningDaemon.unhurried + options
    do {
      // Closed before anything is awaited: a signetd that ends says so by the end of its log.
      defer { close(ends[1]) }
      pid = try spawn(
        words, environment: RunningDaemon.environment, standardInput: standardInput, standardError: .descriptor(ends[1]))
    }
    try awaitLog("signetd: ready")
  }

  /// Sends a signal and waits for the end. Also when it ended by itself.
  public func end(_ signal: Int32) {
    if pid > 0 {
      kill(pid, signal)
      waitpid(pid, nil, 0)
    }
    pid = 0
    if standardError >= 0 { close(standardError) }
    standardError = -1
  }

  /// Whether it ended by itself, or was never started.
  public var hasEnded: Bool { pid == 0 || SignetTestKit.ends(pid, within: 0) }

  /// Reads the log until it contains `text`.
  @discardableResult
  public func awaitLog(_ text: String, within limit: Int32 = waitingLimit) throws -> String {
    let deadline = Clock.milliseconds() + Int64(limit)
    while !log.contains(text) {
      let rest = deadline - Clock.milliseconds()
      guard rest > 0, readLog(within: Int32(rest)) else { throw TestKitError("no `\(text)` in the log\(lastLines)") }
    }
    return log
  }

  /// What has been logged so far.
  public var loggedSoFar: String {
    while readLog(within: 0) {}
    return log
  }

  /// Waits until there is more in the log than was read so far.
  public func awaitMoreLog(within limit: Int32 = waitingLimit) throws {
    guard readLog(within: limit) else { throw TestKitError("nothing more in the log\(lastLines)") }
  }

  /// What was logged at last, without what is the same in all lines, for an error that is to be read whole.
  private var lastLines: String {
    let lines = log.split(separator: "\n")
    let shown = lines.suffix(12).map { $0.split(separator: " pid=", maxSplits: 1)[0] }
    return ", which has \(lines.count) lines; the last are:\n" + shown.joined(separator: "\n")
  }

  private func readLog(within limit: Int32) -> Bool {
    var watched = pollfd(fd: standardError, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, limit) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(standardError, &buffer, buffer.count)
    guard count > 0 else { return false }
    log += String(decoding: buffer[..<count], as: UTF8.self)
    return true
  }

  /// The pid of the running signet-reader.
  public var readerPid: pid_t? { try? ProcessLook(pid).children(named: "signet-reader").first }

  /// The strikes on disk; `nil` where there is no readable file.
  public var strikesOnDisk: Int? { strikesOnDisk(of: uid) }

  /// The same of another user.
  public func strikesOnDisk(of uid: UInt32) -> Int? {
    let file = open("\(stateDirectory)/users/\(uid)/strikes", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    // Purpose, version and uid stand before the count; see SignetDaemon's Record.
    return read(file, &bytes, bytes.count) >= 10 ? Int(bytes[9]) : nil
  }

  /// Waits until so many strikes are on disk: what is given back after a cancel comes a moment after its verdict.
  public func awaitStrikes(_ count: Int, of user: UInt32? = nil) throws {
    try wait(for: "\(count) strikes, not \(strikesOnDisk(of: user ?? uid) ?? -1),") { strikesOnDisk(of: user ?? uid) == count }
  }

  /// Connects as a client.
  public func connect() throws -> LoginClient { try LoginClient(socket: socket, waiting: 5_000) }

  /// Enrolls a finger by the real path: signetd, signet-reader, the virtual reader.
  public func enroll(_ finger: Finger, as scan: String, on reader: VirtualReader) throws {
    let client = try connect()
    try client.send(.enroll(user: user, finger, reader: ""))
    let replies = try client.followEnrolment(as: scan, on: reader)
    guard replies.last == .done else { throw TestKitError("not enrolled: \(replies)") }
  }
}

extension Prompt {
  /// The value without what is said of the order, which `RunningDaemon.fingerFirst` has set.
  func withoutOrder(_ value: UInt8) -> UInt8 { self == .touchReader ? value & ~(TouchForm.fingerFirst | TouchForm.alone) : value }
}
