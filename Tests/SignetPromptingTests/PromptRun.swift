import CLinux
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire

/// A run of the real signet-prompt, of which the test is signetd and the caller.
final class PromptRun {
  enum Host {
    case program(Program)
    case terminal(PseudoTerminal)
  }

  let host: Host
  /// signetd's end, and the caller's: its own copy of the connection, and the pipe.
  private var daemon: Int32
  private let connection: Int32
  private var pipe: Int32
  /// Libraries of the desktop leave files there.
  private let home: TemporaryFolder

  static let words = ["--application", "mail", "--reason", "read the post"]

  init(_ words: [String] = PromptRun.words, environment: [String], onTerminal: Bool = false) throws {
    var (sockets, ends): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &sockets) == 0, clinux_pipe(&ends) == 0 else { throw TestKitError("socketpair: \(errno)") }
    home = try TemporaryFolder()
    (daemon, pipe) = (sockets[0], ends[1])
    // Away from the numbers that they get in the child.
    connection = clinux_duplicate(sockets[1], 64)
    let reading = clinux_duplicate(ends[0], 64)
    close(sockets[1])
    close(ends[0])
    defer { close(reading) }
    let all = [try ReaderChannel.program("signet-prompt")] + words
    let environment = ["PATH=/usr/bin:/bin", "HOME=\(home.path)"] + environment
    if onTerminal {
      host = .terminal(try PseudoTerminal(all, environment: environment, inherited: [3: connection, 4: reading]))
    } else {
      host = .program(try Program(all, environment: environment, descriptors: [3: connection, 4: reading]))
    }
  }

  deinit {
    closeDaemon()
    close(connection)
    closePipe()
  }

  var pid: pid_t {
    switch host {
    case .program(let program): program.pid
    case .terminal(let terminal): terminal.pid
    }
  }

  /// The caller does not wait any more.
  func closePipe() {
    if pipe >= 0 { close(pipe) }
    pipe = -1
  }

  // MARK: signetd

  func closeDaemon() {
    if daemon >= 0 { close(daemon) }
    daemon = -1
  }

  func send(_ bytes: [UInt8]) throws {
    guard Glibc.send(daemon, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw TestKitError("send: \(errno)") }
  }

  func show(_ prompt: Prompt, value: UInt8 = 0, detail: String = "") throws {
    let detail = Array(detail.utf8)
    try send(
      [PacketLimit.version, ReplyKind.show.rawValue, prompt.rawValue, value]
        + Array(littleEndian: detail.count, size: 2) + detail)
  }

  func askPasscode(_ reason: PasscodeReason = .misses) throws {
    try send([PacketLimit.version, ReplyKind.askPasscode.rawValue, reason.rawValue])
  }

  /// Waits until everything that was sent is read.
  func awaitRead() throws {
    try SignetTestKit.wait(for: "what was sent to be read") { clinux_unread(daemon) <= 0 }
  }

  static let done: [UInt8] = [PacketLimit.version, ReplyKind.done.rawValue]

  /// The next request; `nil` where it has no other end any more.
  func request(within limit: Int32 = waitingLimit) throws -> [UInt8]? { try PromptRun.packet(daemon, within: limit) }

  /// What is left for the caller.
  func leftForCaller() throws -> [UInt8]? { try PromptRun.packet(connection, within: 0) }

  private static func packet(_ descriptor: Int32, within limit: Int32) throws -> [UInt8]? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) == 1 else { throw TestKitError("no packet within \(limit) ms") }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Whether a request has come.
  var hasRequest: Bool {
    var ready = pollfd(fd: daemon, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) == 1
  }

  func waitForExit() throws -> Int32 {
    switch host {
    case .program(let program): try program.waitForExit()
    case .terminal(let terminal): try terminal.waitForExit()
    }
  }

  static func passcode(_ text: String) -> [UInt8] {
    [PacketLimit.version, RequestKind.passcode.rawValue] + Array(littleEndian: text.utf8.count, size: 2) + Array(text.utf8)
  }

  static func plain(_ kind: RequestKind) -> [UInt8] { [PacketLimit.version, kind.rawValue] }
}

/// A pinentry of the test's own: it writes down how it was started and what it was told, and answers as the script says.
final class ScriptedPinentry {
  private let folder = try? TemporaryFolder()
  let path: String
  var log: String { path + ".log" }

  /// `answer` is shell code that runs for the last command; `$verb` is it.
  init(_ answer: String) throws {
    guard let folder else { throw TestKitError("no folder") }
    path = folder.path + "/pinentry"
    let script = """
      #!/bin/sh
      tr '\\0' '\\n' < /proc/$$/environ > \(path).environ
      ls /proc/$$/fd > \(path).descriptors
      echo "OK hello"
      while read -r verb rest; do
        echo "$verb $rest" >> \(path).log
        case $verb in
        GETPIN|CONFIRM|MESSAGE) \(answer) ;;
        *) echo OK ;;
        esac
      done
      echo end >> \(path).log
      """
    try writeScript(script, to: path)
  }

  var variable: String { "SIGNET_PINENTRY=\(path)" }
}
