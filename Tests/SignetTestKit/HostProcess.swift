import CLinux
import Foundation
import Glibc

/// A run of pam-host, and what it printed.
public struct HostRun: Sendable {
  /// One line of pam-host; which members are there depends on the step.
  public struct Step: Decodable, Sendable {
    public var step: String
    public var code: Int32?
    public var us: Int64?
    public var leftover: Int?
    public var user: String?
    public var differences: [String]?
    public var descriptors: String?
    /// What each of its mappings is.
    public var mappings: String?
    public var status: Int32?
    public var messages: [Message]?
    public var ring: Int32?
    public var key: Int32?
    public var text: String?
    public var errno: Int32?
    public var priority: Int32?
  }

  public struct Message: Decodable, Sendable {
    public var microseconds: Int64
    public var style: Int32
    public var text: String

    public init(from decoder: any Decoder) throws {
      var fields = try decoder.unkeyedContainer()
      microseconds = try fields.decode(Int64.self)
      style = try fields.decode(Int32.self)
      text = try fields.decode(String.self)
    }
  }

  public var steps: [Step]
  /// Its exit status, or the negative number of the signal that ended it.
  public var status: Int32

  public init(output: String, status: Int32) {
    self.status = status
    steps = output.split(whereSeparator: \.isNewline).compactMap { line in
      try? JSONDecoder().decode(Step.self, from: Data(line.utf8))
    }
  }

  public func step(_ name: String) -> Step? { steps.first { $0.step == name } }

  /// What pam_authenticate returned.
  public var code: Int32? { step("authenticate")?.code }
  public var texts: [String] { step("authenticate")?.messages?.map(\.text) ?? [] }
  /// What went to the journal (with `--log`).
  public var log: [String] { steps.filter { $0.step == "log" }.compactMap(\.text) }
  /// How long pam_authenticate took.
  public var milliseconds: Int64 { (step("authenticate")?.us ?? 0) / 1000 }

  /// Runs pam-host in a session of its own, without a terminal. `answers` go by descriptor 3.
  public static func run(
    _ arguments: [String], answers: [String] = [], launcher: [String] = [], limit: Int32 = waitingLimit
  ) throws -> HostRun {
    var output: [Int32] = [-1, -1]
    guard clinux_pipe(&output) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    defer { close(output[0]) }
    let secrets = try answersDescriptor(answers)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    posix_spawn_file_actions_adddup2(&actions, secrets, 3)
    let program = try ReaderChannel.program("pam-host")
    let words = launcher + [program] + arguments + (answers.isEmpty ? [] : ["--answers"])
    let pid = try spawnSession(words, environment: HostRun.environment, &actions, closingFrom: 4)
    close(output[1])
    close(secrets)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    let deadline = PAMHost.microseconds() + Int64(limit) * 1000
    while true {
      var ready = pollfd(fd: output[0], events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(max(0, (deadline - PAMHost.microseconds()) / 1000))) > 0 else {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        throw TestKitError("pam-host did not end: \(String(decoding: text, as: UTF8.self))")
      }
      let count = read(output[0], &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    return HostRun(output: String(decoding: text, as: UTF8.self), status: try waitForExit(of: pid, within: limit))
  }

  /// Swift's backtraces would take SIGQUIT, which is the host's.
  public static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "SWIFT_BACKTRACE=enable=no"]

  /// A descriptor from which the answers can be read, one a line.
  public static func answersDescriptor(_ answers: [String]) throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    defer { close(ends[1]) }
    let bytes = Array(answers.map { $0 + "\n" }.joined().utf8)
    _ = write(ends[1], bytes, bytes.count)
    return ends[0]
  }
}

/// A process of another uid that listens where signetd should.
public final class Impostor {
  public let path: String
  private let folder: String
  private var pid: pid_t = 0
  private let input: Int32

  /// Needs root. Returns when it listens.
  public init(uid: uid_t) throws {
    folder = try makeTemporaryFolder("impostor")
    path = folder + "/socket"
    var (ends, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard clinux_pipe(&ends) == 0, clinux_pipe(&output) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    input = ends[1]
    defer {
      close(ends[0])
      close(output[0])
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    let words = [try ReaderChannel.program("pam-host"), "listen", path, "\(uid)"]
    pid = try spawnSession(words, environment: HostRun.environment, &actions, closingFrom: 3)
    close(output[1])
    var byte: UInt8 = 0
    guard read(output[0], &byte, 1) == 1 else { throw TestKitError("no impostor") }
  }

  deinit {
    close(input)
    if pid > 0 { waitpid(pid, nil, 0) }
    unlink(path)
    rmdir(folder)
  }
}
