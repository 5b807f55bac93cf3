import CLinux
import Glibc

/// A login by the real module through the real libpam, in a process of its own without a terminal, while it runs: the test
/// reads what it shows, line by line, and does something to it.
public final class LoginHost {
  public private(set) var pid: pid_t = 0
  private let output: Int32
  private var text: [UInt8] = []
  private var consumed = 0

  /// Starts pam-host with a service of its own in the daemon's PAM folder.
  ///
  /// - Parameters:
  ///   - next: further lines of the service's auth stack.
  public convenience init(
    _ daemon: RunningDaemon, user: String? = nil, service: String = "signet-test", control: String = "required",
    options: String = "timeout=20", next: [String] = [], answers: [String] = [], _ arguments: String...
  ) throws {
    try self.init(
      daemon, user: user, service: service, control: control, options: options, next: next, answers: answers,
      arguments: arguments)
  }

  /// The same with pam-host's arguments as an array, and a program in front of it (strace, prlimit).
  public init(
    _ daemon: RunningDaemon, user: String? = nil, service: String = "signet-test", control: String = "required",
    options: String = "timeout=20", next: [String] = [], answers: [String] = [], launcher: [String] = [],
    arguments: [String]
  ) throws {
    let module = try ReaderChannel.program("libpam_signet.so")
    let lines = ["auth \(control) \(module) socket=\(daemon.socket) \(options)"] + next
    try daemon.write("pam/\(service)", lines.joined(separator: "\n") + "\n")
    // libpam wants one, and complains in the journal where there is none.
    try daemon.write("pam/other", "auth required pam_deny.so\n")
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    output = ends[0]
    let secrets = try HostRun.answersDescriptor(answers)
    defer {
      close(ends[1])
      close(secrets)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, secrets, 3)
    let words =
      try launcher + [
        ReaderChannel.program("pam-host"), "--service", service, "--confdir", daemon.confdir, "--user", user ?? daemon.user,
      ]
      + ["--state", "--print"] + arguments + (answers.isEmpty ? [] : ["--answers"])
    pid = try spawnSession(words, environment: HostRun.environment, &actions, closingFrom: 4)
  }

  deinit {
    if pid > 0 {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    close(output)
  }

  /// The next message that the module shows or asks, `nil` when the host has ended. Throws where nothing comes in time: a
  /// login that hangs.
  public func nextMessage(within limit: Int32 = waitingLimit) throws -> String? {
    let deadline = PAMHost.microseconds() + Int64(limit) * 1000
    while true {
      while let end = text[consumed...].firstIndex(of: 10) {
        let line = String(decoding: text[consumed..<end], as: UTF8.self)
        consumed = end + 1
        if !line.hasPrefix("{") { return line }
      }
      let rest = (deadline - PAMHost.microseconds()) / 1000
      guard rest > 0 else { throw TestKitError("the login hangs: \(String(decoding: text, as: UTF8.self))") }
      if try !read(within: Int32(rest)) { return nil }
    }
  }

  /// Waits until the reader is armed for this login.
  public func awaitPrompt() throws {
    while let message = try nextMessage() { if message.isFirstPrompt { return } }
    throw TestKitError("no finger is asked for: \(String(decoding: text, as: UTF8.self))")
  }

  /// Waits until the module has shown a message that begins like this.
  public func awaitMessage(_ beginning: String, within limit: Int32 = waitingLimit) throws {
    while let message = try nextMessage(within: limit) { if message.hasPrefix(beginning) { return } }
    throw TestKitError("no `\(beginning)`: \(String(decoding: text, as: UTF8.self))")
  }

  /// Reads to the end and waits for it.
  public func finish(within limit: Int32 = waitingLimit) throws -> HostRun {
    while try read(within: limit) {}
    let status = try waitForExit(of: pid, within: limit)
    pid = 0
    return HostRun(output: String(decoding: text, as: UTF8.self), status: status)
  }

  /// Puts these fingers on the reader, each when the module asks for one, and follows the login to its end. A reader that
  /// cannot be reached is no error: who attacks tries it all the same.
  public func finish(presenting fingers: [String], on reader: VirtualReader, _ onMessage: (String) throws -> Void = { _ in })
    throws -> HostRun
  {
    var rest = fingers[...]
    while let message = try nextMessage() {
      try onMessage(message)
      if message.asksForFinger, let finger = rest.popFirst() { try? reader.scan(finger) }
    }
    return try finish()
  }

  /// False at the end.
  private func read(within limit: Int32) throws -> Bool {
    var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) > 0 else {
      throw TestKitError("the login hangs: \(String(decoding: text, as: UTF8.self))")
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(output, &buffer, buffer.count)
    guard count > 0 else { return false }
    text += buffer[..<count]
    return true
  }
}

extension String {
  /// Whether the module says with this that the reader is armed for the first time.
  public var isFirstPrompt: Bool { hasPrefix("Touch the fingerprint reader") || hasPrefix("Swipe your finger") }

  /// Whether the module says with this that the reader waits for a finger.
  public var asksForFinger: Bool {
    isFirstPrompt || hasPrefix("Scan again") || hasPrefix("Fingerprint not recognised, ")
  }
}

/// A FIFO of a test: a program that it writes to, or reads from, is known to be there.
public final class Meeting {
  public let path: String
  private var descriptor: Int32

  public init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
    // For both: opening never waits, and there is always a reader and a writer.
    descriptor = clinux_open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK, 0)
  }

  deinit { dismiss() }

  /// Waits until somebody has written to it.
  public func awaitArrival(within limit: Int32 = waitingLimit) throws {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) == 1 else { throw TestKitError("nobody came to \(path)") }
    var byte = [UInt8](repeating: 0, count: 64)
    _ = read(descriptor, &byte, byte.count)
  }

  /// Lets those go on who read from it: they see its end.
  public func dismiss() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
